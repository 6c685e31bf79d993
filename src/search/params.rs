//! The numbers of the search. Scores are hundredths of a man, depths plies.

/// Deepest line the search follows.
pub const MAX_PLY: u32 = 120;
/// Deepest iteration.
pub const MAX_DEPTH: u32 = 100;

/// First half-width of the aspiration window.
pub const ASPIRATION_WINDOW: i32 = 20;
/// First iteration with an aspiration window.
pub const ASPIRATION_DEPTH: u32 = 4;

/// Least depth of the depth-reduced pruning.
pub const PRUNE_MIN_DEPTH: i32 = 3;
/// Depth of its verifying search, in percent.
pub const PRUNE_DEPTH_PERCENT: i32 = 40;
/// By how much that search must beat beta, per ply of depth.
pub const PRUNE_MARGIN_PER_PLY: i32 = 10;

/// Least depth at which late moves are reduced.
pub const REDUCE_MIN_DEPTH: i32 = 2;
/// First move reduced by one ply in a PV node (0 is the first move).
pub const REDUCE_FROM_PV: usize = 3;
/// First move reduced by one ply elsewhere.
pub const REDUCE_FROM: usize = 1;
/// First move reduced by two plies outside PV nodes.
pub const REDUCE_MORE_FROM: usize = 4;

/// Least depth at which threads avoid a move that another one is searching.
pub const DIVIDE_MIN_DEPTH: i32 = 3;
