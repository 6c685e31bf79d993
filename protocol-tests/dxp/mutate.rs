//! Messages that are mangled into garbage.

use meerslag::util::rng::Rng;

/// What is mangled: every kind of message, in the order of a game now and then.
const SEEDS: &[&str] = &[
    "R01Tester                          W000075A",
    "R01Tester                          Z.05075A",
    "R01Tester                          Z005000BZeeeeeezeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeweeeeeeeeee",
    "R02Tester                          W005075A",
    "ATester                          0",
    "M0000322800",
    "M0000192300",
    "M0007321202217",
    "M00002819012",
    "M0000091300",
    "E00",
    "E10",
    "E21",
    "E30",
    "Chello",
    "Cconsole quit",
    "B001W",
    "B002Z",
    "B999W",
    "K0",
    "K2",
];

/// What takes its time: another board means another engine.
const RARE_SEEDS: &[&str] = &["R01Tester                          W000075BWzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww"];

/// A message, whole or mangled, without a zero in it.
pub fn message(rng: &mut Rng) -> Vec<u8> {
    const PIECES: &[u8] = b"RAMECBKWZwzeb0123456789 .\r\n\t\x01\xff\xc3";
    let seeds = if rng.below(300) == 0 { RARE_SEEDS } else { SEEDS };
    let mut bytes = seeds[rng.below(seeds.len())].as_bytes().to_vec();
    match rng.below(8) {
        0 => bytes = (0..rng.below(300)).map(|_| rng.next_u64() as u8).collect(),
        1..=3 => return bytes,
        _ => {}
    }
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(4) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.extend(SEEDS[rng.below(SEEDS.len())].bytes().skip(at)),
            _ => bytes.insert(at, PIECES[rng.below(PIECES.len())]),
        }
    }
    bytes.retain(|byte| *byte != 0);
    bytes
}
