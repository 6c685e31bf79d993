//! Learned weights: what they make of a position, and the files that keep them.
//!
//! All numbers of a file are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic, `MEEReval` |
//! | 4 | version, 3 |
//! | 16 | Hub name of the variant, filled up with zeros |
//! | 8 | what the features are: a digest of their description |
//! | 4 | length of the manifest |
//! | | manifest: JSON that tells where the weights come from |
//! | | tables: one of the counted features, one of each rectangle, one of the network |
//! | 8 | checksum of all bytes before |
//!
//! A table is four bytes with the length of what follows, and deflated bytes: first all low, then all high ones of 16-bit
//! numbers: knot after knot of the phase ([`stage`](super::stage)), or those of the [network](Network::numbers).

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::{fmt, fs, thread};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use super::chances::Chances;
use super::features;
use super::network::{self, Network};
use super::patterns::{Indices, Patterns, RECTANGLE};
use super::stage::{KNOTS, STAGES, Stage};
use super::terms::side::SideView;
use super::{FULL_PHASE, drawishness, indices, phase, views};
use crate::board::Position;
use crate::util::checksum::checksum;
use crate::util::pages::Frozen;
use crate::variant::{Variant, VariantId};

const MAGIC: &[u8; 8] = b"MEEReval";
const VERSION: u32 = 3;
const NAME: usize = 16;
/// Bytes before the manifest.
const HEAD: usize = 40;
const CHECKSUM: usize = 8;
/// Largest file that is read, far beyond what weights take.
const MOST_BYTES: u64 = 1 << 28;

/// Weights of a hundredth of a man.
pub const UNIT: i32 = 16;

/// What features there are and how they are numbered; a change of either is a change here.
const DESCRIPTION: &str = "4x6 men, 6x4 in one place at 10x10 and two at 8x8, ternary, farthest pair first; men, \
                           first king, more kings, king moves, imbalance, tempo, king squares; sixteenths of a \
                           hundredth; knots at 256, 90, 0 of 256 of the pieces; fewer where kings draw; rows of 8 for \
                           4x6 ends and squares of kings, 16 hidden, 4 buckets, one is 256 and 4096";

/// Weights that are part of the program.
struct Embedded {
    variant: VariantId,
    bytes: &'static [u8],
    /// The same unpacked: once for all engines of the process, since it takes a while.
    weights: OnceLock<Arc<Weights>>,
}

impl Embedded {
    const fn new(variant: VariantId, bytes: &'static [u8]) -> Self {
        Self { variant, bytes, weights: OnceLock::new() }
    }
}

/// At most one set for a variant; `docs/training-log.md` tells how they came about.
static EMBEDDED: [Embedded; 2] = [
    Embedded::new(VariantId::International, include_bytes!("embedded/normal.weights")),
    Embedded::new(VariantId::Brazilian, include_bytes!("embedded/brazilian.weights")),
];

/// At each knot.
pub type Knots = [i16; KNOTS.len()];
/// At the knots before and after a stage.
type Pair = [i16; 2];

/// Where weights come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Manifest {
    /// The program that trained them.
    pub engine: String,
    /// Which generation of self-play they are, if somebody counts.
    pub generation: u32,
    /// Name of the weights that training started from, if it did not start from nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Digests of the files of games.
    pub games: Vec<String>,
    /// Positions that they were fitted to.
    pub positions: u64,
    /// Passes over them.
    pub epochs: usize,
    /// Loss on positions of other games.
    pub loss: f64,
    /// From what all that is random follows.
    pub seed: u64,
    /// Chances of results.
    pub chances: Chances,
}

/// Why weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The system refused.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not usable.
    #[error("{path}: {fault}", path = .path.display())]
    Fault {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Fault,
    },
}

/// What is wrong with the bytes of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Something else.
    #[error("no weights of the evaluation")]
    Foreign,
    /// Another version of the format.
    #[error("version {0} of the format, {VERSION} is expected")]
    Version(u32),
    /// Weights of another variant.
    #[error("weights of {found}, not of {expected}")]
    Other {
        /// Their variant.
        found: String,
        /// The variant expected.
        expected: VariantId,
    },
    /// Weights of other features.
    #[error("weights of other features than those of this program")]
    Features,
    /// Content that does not agree with the checksum or with itself.
    #[error("the file is damaged")]
    Damaged,
}

/// Weights of one variant.
#[derive(PartialEq)]
pub struct Weights {
    variant: VariantId,
    /// Of the counted features, stage after stage.
    counted: Vec<Pair>,
    /// Of each rectangle's indices, stage after stage: a search, which stays in one, has less to go through than if all
    /// knots were together.
    rectangles: Frozen<Pair>,
    network: Network,
    /// Where they come from.
    pub manifest: Manifest,
    /// A digest of all weights.
    digest: u64,
}

impl Weights {
    /// Weights of so many counted features and of each rectangle's indices.
    ///
    /// # Panics
    /// If their numbers are not those of the board.
    pub fn new<V: Variant>(counted: &[Knots], rectangles: &[Knots], network: Network, manifest: Manifest) -> Self {
        assert_eq!(counted.len(), features::count::<V::Board>(), "one weight for each counted feature");
        assert_eq!(rectangles.len(), V::Board::RECTANGLES * RECTANGLE, "one weight for each index");
        assert_eq!(network.rows().len(), network::row_count::<V::Board>(), "one row for each part");
        let sums: Vec<u64> = tables(counted, rectangles, &network).map(|table| checksum(&table)).collect();
        let digest = digest(&sums);
        Self {
            variant: V::ID,
            counted: split(counted),
            rectangles: split(rectangles).into(),
            network,
            manifest,
            digest,
        }
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[inline]
    pub fn evaluate<V: Variant>(&self, position: &Position<V>) -> i32 {
        let phase = phase(position);
        let Stage { number, share } = Stage::of(phase);
        let views = views(position);
        let indices = indices(&views);
        let mut sum = [0; 2];
        self.visit(&views, &indices, number, |_, [before, after], times| {
            sum[0] += i32::from(before) * times;
            sum[1] += i32::from(after) * times;
        });
        let network = self.network.value(&views, &indices, phase);
        let [before, after] = sum.map(|sum| i64::from(sum + network));
        let share = i64::from(share);
        let blended = before * share + after * (i64::from(FULL_PHASE) - share);
        // A shift, and a division only where it is needed.
        let value = (blended / i64::from(FULL_PHASE * UNIT)) as i32;
        match drawishness(position) {
            1 => value,
            divisor => value / divisor,
        }
    }

    /// What the value consists of, for the side to move: groups of features by name, at the knots before and after
    /// the position, in `1 / UNIT` hundredths of a man.
    pub fn groups<V: Variant>(&self, position: &Position<V>) -> Vec<(&'static str, [i32; 2])> {
        let mut groups: Vec<(&str, [i32; 2])> = Vec::new();
        let phase = phase(position);
        let views = views(position);
        let indices = indices(&views);
        self.visit(&views, &indices, Stage::of(phase).number, |feature, pair, times| {
            let name = feature.map_or("patterns of men", features::group);
            let group = match groups.iter().position(|(other, _)| *other == name) {
                Some(group) => group,
                None => {
                    groups.push((name, [0; 2]));
                    groups.len() - 1
                }
            };
            for (sum, weight) in groups[group].1.iter_mut().zip(pair) {
                *sum += i32::from(weight) * times;
            }
        });
        groups.push(("network", [self.network.value(&views, &indices, phase); 2]));
        groups
    }

    /// Calls `visit` with each counted feature, or none for a rectangle, its weights in a stage and how often they
    /// count.
    #[inline(always)]
    fn visit<V: Variant>(
        &self,
        views: &[SideView<V>; 2],
        indices: &[Indices; 2],
        stage: usize,
        mut visit: impl FnMut(Option<usize>, Pair, i32),
    ) {
        let rectangles = &self.rectangles[stage * V::Board::RECTANGLES * RECTANGLE..];
        for (indices, sign) in indices.iter().zip([1, -1]) {
            let tables = rectangles.chunks_exact(RECTANGLE).take(V::Board::RECTANGLES);
            for (table, index) in tables.zip(&indices.rectangles) {
                visit(None, table[*index as usize], sign);
            }
        }
        let counted = &self.counted[stage * features::count::<V::Board>()..];
        features::visit(views, |feature, times| visit(Some(feature), counted[feature], times));
    }

    /// The weights of the counted features.
    pub fn counted(&self) -> Vec<Knots> {
        joined(&self.counted)
    }

    /// The weights of the indices of all rectangles, one after the other.
    pub fn rectangles(&self) -> Vec<Knots> {
        joined(&self.rectangles)
    }

    /// The network.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// A name for these weights, to tell them from others.
    pub fn name(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub fn read<V: Variant>(path: &Path) -> Result<Self, WeightsError> {
        let failed = |source| WeightsError::Io { path: path.into(), source };
        let file = fs::File::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        Self::from_bytes::<V>(&bytes).map_err(|fault| WeightsError::Fault { path: path.into(), fault })
    }

    /// Writes a file: whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), WeightsError> {
        let failed = |source| WeightsError::Io { path: path.into(), source };
        let part = path.with_added_extension("part");
        let write = || {
            let mut file = fs::File::create(&part)?;
            file.write_all(&self.to_bytes())?;
            file.sync_all()?;
            fs::rename(&part, path)
        };
        write().map_err(|source| {
            // What there is of it is of no use; if it cannot be removed either, the first error says why.
            let _ = fs::remove_file(&part);
            failed(source)
        })
    }

    /// The content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let manifest = serde_json::to_vec(&self.manifest).expect("a manifest is plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(name(self.variant));
        bytes.extend(checksum(DESCRIPTION.as_bytes()).to_le_bytes());
        bytes.extend((manifest.len() as u32).to_le_bytes());
        bytes.extend(manifest);
        for table in tables(&self.counted(), &self.rectangles(), &self.network) {
            let packed = pack(&table);
            bytes.extend((packed.len() as u32).to_le_bytes());
            bytes.extend(packed);
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Weights from the content of a file.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_bytes<V: Variant>(bytes: &[u8]) -> Result<Self, Fault> {
        if !bytes.starts_with(MAGIC) {
            return Err(Fault::Foreign);
        }
        let u32_at = |at: usize| -> Result<u32, Fault> {
            let field = bytes.get(at..at + 4).ok_or(Fault::Damaged)?;
            Ok(u32::from_le_bytes(field.try_into().expect("four bytes were cut out")))
        };
        let version = u32_at(8)?;
        if version != VERSION {
            return Err(Fault::Version(version));
        }
        let (content, sum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(Fault::Damaged)?;
        if content.len() < HEAD || checksum(content) != u64::from_le_bytes(*sum) {
            return Err(Fault::Damaged);
        }
        if content[12..12 + NAME] != name(V::ID) {
            let found = String::from_utf8_lossy(&content[12..12 + NAME]);
            return Err(Fault::Other { found: found.trim_end_matches('\0').into(), expected: V::ID });
        }
        if content[28..36] != checksum(DESCRIPTION.as_bytes()).to_le_bytes() {
            return Err(Fault::Features);
        }
        let (manifest, mut rest) = content[HEAD..].split_at_checked(u32_at(36)? as usize).ok_or(Fault::Damaged)?;
        let manifest = serde_json::from_slice(manifest).map_err(|_| Fault::Damaged)?;
        let mut packed = || {
            let (length, after) = rest.split_first_chunk().ok_or(Fault::Damaged)?;
            let (packed, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(Fault::Damaged)?;
            rest = after;
            Ok(packed)
        };
        let mut counted = vec![Pair::default(); STAGES * features::count::<V::Board>()];
        let mut digests = vec![unpack(packed()?, by_stage(&mut counted, features::count::<V::Board>()).remove(0))?];
        let rectangles = (0..V::Board::RECTANGLES).map(|_| packed()).collect::<Result<Vec<_>, _>>()?;
        let network = inflate(packed()?, Network::count::<V::Board>())?;
        if !rest.is_empty() {
            return Err(Fault::Damaged);
        }
        let rectangles = Frozen::filled(STAGES * V::Board::RECTANGLES * RECTANGLE, |unpacked| {
            digests.extend(unpack_all(rectangles, by_stage(unpacked, RECTANGLE))?);
            Ok(())
        })?;
        digests.push(checksum(&network));
        let network = Network::of_numbers::<V::Board>(&numbers(&network).collect::<Vec<_>>());
        Ok(Self { variant: V::ID, counted, rectangles, network, manifest, digest: digest(&digests) })
    }
}

/// Weights stage after stage.
fn split(weights: &[Knots]) -> Vec<Pair> {
    (0..STAGES).flat_map(|stage| weights.iter().map(move |knots| [knots[stage], knots[stage + 1]])).collect()
}

/// Weights at all knots, from those stage after stage.
fn joined(stages: &[Pair]) -> Vec<Knots> {
    let length = stages.len() / STAGES;
    let at_knot = |number: usize, knot: usize| match knot.checked_sub(1) {
        None => stages[number][0],
        Some(stage) => stages[stage * length + number][1],
    };
    (0..length).map(|number| std::array::from_fn(|knot| at_knot(number, knot))).collect()
}

/// A table of weights, stage by stage.
type Table<'a> = [&'a mut [Pair]; STAGES];

/// The tables of so many weights in those stage after stage.
fn by_stage(weights: &mut [Pair], length: usize) -> Vec<Table<'_>> {
    let tables = weights.len() / STAGES / length;
    let mut stages: Vec<_> =
        weights.chunks_exact_mut(tables * length).map(|stage| stage.chunks_exact_mut(length)).collect();
    let mut next = |stage: usize| stages[stage].next().expect("each stage has all tables");
    (0..tables).map(|_| std::array::from_fn(&mut next)).collect()
}

/// The tables of a file as bytes, before they are packed.
fn tables<'a>(
    counted: &'a [Knots],
    rectangles: &'a [Knots],
    network: &'a Network,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    let linear = std::iter::once(counted).chain(rectangles.chunks_exact(RECTANGLE)).map(knot_planes);
    linear.chain(std::iter::once_with(|| planes(network.numbers().into_iter())))
}

/// Numbers as bytes: all low ones, then all high ones.
fn planes(numbers: impl Iterator<Item = i16> + Clone) -> Vec<u8> {
    let bytes = numbers.map(i16::to_le_bytes);
    bytes.clone().map(|[low, _]| low).chain(bytes.map(|[_, high]| high)).collect()
}

/// Weights as bytes, knot after knot.
fn knot_planes(table: &[Knots]) -> Vec<u8> {
    planes((0..KNOTS.len()).flat_map(|knot| table.iter().map(move |knots| knots[knot])))
}

/// The numbers of such bytes.
fn numbers(planes: &[u8]) -> impl Iterator<Item = i16> {
    let (low, high) = planes.split_at(planes.len() / 2);
    low.iter().zip(high).map(|(low, high)| i16::from_le_bytes([*low, *high]))
}

fn pack(planes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(planes).and_then(|()| encoder.finish()).expect("memory can be written to")
}

/// Unpacks the bytes of so many numbers.
fn inflate(packed: &[u8], count: usize) -> Result<Vec<u8>, Fault> {
    let mut planes = vec![0; count * size_of::<i16>()];
    let mut decoder = DeflateDecoder::new(packed);
    decoder.read_exact(&mut planes).map_err(|_| Fault::Damaged)?;
    let more = decoder.read(&mut [0]).map_err(|_| Fault::Damaged)? > 0;
    if more || decoder.total_in() != packed.len() as u64 {
        return Err(Fault::Damaged);
    }
    Ok(planes)
}

/// Unpacks weights; gives a checksum of their bytes.
fn unpack(packed: &[u8], table: Table<'_>) -> Result<u64, Fault> {
    let length = table[0].len();
    let planes = inflate(packed, length * KNOTS.len())?;
    let at = |knot: usize| numbers(&planes).skip(knot * length).take(length);
    for (number, stage) in table.into_iter().enumerate() {
        at(number).zip(at(number + 1)).zip(stage).for_each(|((before, after), pair)| *pair = [before, after]);
    }
    Ok(checksum(&planes))
}

/// Unpacks tables by several threads, since whoever starts the program waits for it; gives their checksums. Not by
/// rayon, whose workers may wait for these very weights: one that unpacks would then take up the work of another.
fn unpack_all(packed: Vec<&[u8]>, tables: Vec<Table<'_>>) -> Result<Vec<u64>, Fault> {
    let mut sums: Vec<_> = packed.iter().map(|_| Ok(0)).collect();
    let others = packed.len().saturating_sub(1);
    let queue = Mutex::new(packed.into_iter().zip(tables).zip(&mut sums));
    let next = || queue.lock().expect("taking work does not panic").next();
    let work = || {
        while let Some(((packed, table), sum)) = next() {
            *sum = unpack(packed, table);
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            // A thread that the system does not give leaves its work to those there are, this one at least.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    sums.into_iter().collect()
}

/// A checksum of the checksums of all tables.
fn digest(tables: &[u64]) -> u64 {
    let bytes: Vec<u8> = tables.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    checksum(&bytes)
}

/// The Hub name of a variant as a field of the file.
fn name(variant: VariantId) -> [u8; NAME] {
    let mut field = [0; NAME];
    let name = variant.hub_name().as_bytes();
    field[..name.len()].copy_from_slice(name);
    field
}

/// The weights of a variant that are part of the program.
pub(super) fn embedded<V: Variant>() -> Option<Arc<Weights>> {
    let embedded = EMBEDDED.iter().find(|embedded| embedded.variant == V::ID)?;
    let unpack = || Weights::from_bytes::<V>(embedded.bytes).expect("a test reads the files in the program");
    Some(embedded.weights.get_or_init(|| Arc::new(unpack())).clone())
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Weights").field("name", &self.name()).field("manifest", &self.manifest).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::eval::network::{Dense, FINE, ONE};
    use crate::notation::read_position;
    use crate::util::rng::Rng;
    use crate::variant::{Brazilian, International};

    /// Random weights.
    fn random<V: Variant>(seed: u64) -> Weights {
        let mut rng = Rng::new(seed);
        let mut weights = |length: usize| -> Vec<Knots> {
            (0..length).map(|_| std::array::from_fn(|_| rng.below(2001) as i16 - 1000)).collect()
        };
        let counted = weights(features::count::<V::Board>());
        let rectangles = weights(V::Board::RECTANGLES * RECTANGLE);
        let network: Vec<i16> = weights(Network::count::<V::Board>()).iter().map(|knots| knots[0] / 4).collect();
        let network = Network::of_numbers::<V::Board>(&network);
        Weights::new::<V>(&counted, &rectangles, network, Manifest { generation: 3, loss: 0.5, ..Manifest::default() })
    }

    #[test]
    fn files_come_back() {
        let weights = random::<Brazilian>(1);
        let path = std::env::temp_dir().join(format!("meerslag-{}.weights", std::process::id()));
        weights.write(&path).unwrap();
        assert_eq!(Weights::read::<Brazilian>(&path).unwrap(), weights);
        fs::remove_file(&path).unwrap();
        assert_ne!(weights.name(), random::<Brazilian>(2).name());
        let error = Weights::read::<Brazilian>(&path).unwrap_err().to_string();
        assert!(error.contains("meerslag-"), "{error}");
    }

    #[test]
    fn what_is_no_file_of_weights_is_refused() {
        let bytes = random::<Brazilian>(1).to_bytes();
        let refused = |bytes: &[u8]| Weights::from_bytes::<Brazilian>(bytes).unwrap_err();
        assert_eq!(refused(b"MEERegdb"), Fault::Foreign);
        let changed = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            bytes
        };
        assert_eq!(refused(&changed(8)), Fault::Version(VERSION ^ 1));
        for at in [12, 30, 41, HEAD + 3, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(refused(&changed(at)), Fault::Damaged, "{at}");
        }
        for length in [8, 11, 20, HEAD, bytes.len() - 1] {
            assert_eq!(refused(&bytes[..length]), Fault::Damaged, "{length}");
        }
        let other = Weights::from_bytes::<International>(&bytes).unwrap_err();
        assert_eq!(other.to_string(), "weights of brazilian, not of normal");
        // What a checksum of its own vouches for.
        let content = bytes[..bytes.len() - CHECKSUM].to_vec();
        let refused_with_checksum = |mut content: Vec<u8>| {
            content.extend(checksum(&content).to_le_bytes());
            refused(&content)
        };
        let mut others = content.clone();
        others[28] ^= 1;
        assert_eq!(refused_with_checksum(others), Fault::Features);
        assert_eq!(refused_with_checksum(content[..content.len() - 1].to_vec()), Fault::Damaged);
        assert_eq!(refused_with_checksum([&content[..], &[0]].concat()), Fault::Damaged);
        let mut too_long = content.clone();
        too_long[36..40].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(refused_with_checksum(too_long), Fault::Damaged);
    }

    /// Each table is held against its own length and against what it has to hold.
    #[test]
    fn tables_that_do_not_fit_are_refused() {
        let table = vec![[1, -2, 3]; 1000];
        let mut into = vec![Pair::default(); STAGES * 2 * table.len()];
        let pack = |table: &[Knots]| pack(&knot_planes(table));
        assert!(unpack(&pack(&table), by_stage(&mut into, table.len()).remove(1)).is_ok());
        assert_eq!(joined(&into), [vec![Knots::default(); table.len()], table.clone()].concat());
        let longer = [&pack(&table)[..], &[0]].concat();
        let shorter = pack(&table).split_last().unwrap().1.to_vec();
        for packed in
            [pack(&table[1..]), pack(&[&table[..], &[Knots::default()]].concat()), longer, shorter, vec![255; 9]]
        {
            assert_eq!(unpack(&packed, by_stage(&mut into, table.len()).remove(0)), Err(Fault::Damaged));
            let both = unpack_all(vec![&packed[..], &packed], by_stage(&mut into, table.len()));
            assert_eq!(both, Err(Fault::Damaged));
        }
        let bytes = random::<International>(1).to_bytes();
        let first = HEAD + u32::from_le_bytes(bytes[36..40].try_into().unwrap()) as usize;
        for length in [u32::MAX, 0] {
            let mut content = bytes[..bytes.len() - CHECKSUM].to_vec();
            content[first..first + 4].copy_from_slice(&length.to_le_bytes());
            content.extend(checksum(&content).to_le_bytes());
            assert_eq!(Weights::from_bytes::<International>(&content), Err(Fault::Damaged));
        }
    }

    #[test]
    fn both_sides_see_the_same() {
        let weights = random::<International>(4);
        for fen in [
            "W:W31-50:B1-20",
            "B:W6,12,22,24,28,33,K40:B1,7,14,K18,29,30,45",
            "W:WK1,K2,20:BK50,13",
            "W:W21,27,32:BK20,25,30",
            "B:W21,27,32:BK20,25,30",
        ] {
            let position = read_position::<International>(fen).unwrap();
            assert_eq!(weights.evaluate(&position), weights.evaluate(&position.flipped()), "{fen}");
        }
    }

    /// The value by adding up the groups.
    #[test]
    fn groups_add_up() {
        let evaluation = Evaluation::Learned(Arc::new(random::<International>(5)));
        let position = read_position::<International>("B:W22,24,28,33,K40:B1,7,14,K18,29").unwrap();
        let Evaluation::Learned(weights) = &evaluation else { unreachable!() };
        let [before, after] =
            weights.groups(&position).iter().fold([0; 2], |sum, (_, group)| [sum[0] + group[0], sum[1] + group[1]]);
        let Stage { share, .. } = Stage::of(phase(&position));
        let value = (before * share + after * (FULL_PHASE - share)) / (FULL_PHASE * UNIT * drawishness(&position));
        assert_eq!(weights.evaluate(&position), value);
        let parts = evaluation.parts(&position);
        assert_eq!(parts.len(), weights.groups(&position).len());
        let sum: i32 = parts.iter().map(|(_, part)| part.opening).sum();
        assert!((sum + (before as f64 / f64::from(UNIT)) as i32).abs() <= 8, "Black is to move: {sum}");
    }

    #[test]
    fn the_description_has_the_numbers() {
        let [first, second, third] = KNOTS;
        assert!(DESCRIPTION.contains(&format!("knots at {first}, {second}, {third} of {FULL_PHASE}")));
        let Dense { bias, buckets } = Dense::<i16>::default();
        let network = format!("{} hidden, {} buckets, one is {ONE} and {FINE}", buckets[0].bias.len(), buckets.len());
        assert!(DESCRIPTION.contains(&network) && DESCRIPTION.contains(&format!("rows of {}", bias.len())));
    }

    #[test]
    fn weights_in_the_program_are_sound() {
        for embedded in &EMBEDDED {
            struct Check(&'static [u8]);
            impl crate::variant::Task for Check {
                type Output = Result<Weights, Fault>;
                fn run<V: Variant>(self) -> Self::Output {
                    Weights::from_bytes::<V>(self.0)
                }
            }
            let weights = embedded.variant.dispatch(Check(embedded.bytes)).unwrap();
            assert!(weights.manifest.generation > 0 && weights.manifest.chances.scale > 0.0);
            assert!(embedded.bytes.len() <= 8 << 20, "at most 8 MiB each");
        }
    }
}
