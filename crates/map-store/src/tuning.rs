//! Parameters of speed and memory use.

/// Sizes of the tables. They affect the speed and memory of tables, the provisional numbers, and when a table is
/// full, but never the number that is committed for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Number of numbers that a thread reserves at a time, at least one, if there are several threads. With more of
    /// them threads write less often to the shared counter; with fewer of them fewer numbers are left unused.
    pub reserved: u32,
    /// Binary logarithm of the slots of an index region, at least one. A growing index is filled region by region: a
    /// region (4 bytes for each slot) and a copy of it should fit into a second-level cache.
    pub region_bits: u32,
    /// The width of stored keys as long as none needs more.
    pub narrow: NarrowKeys,
}

impl Tuning {
    /// The default: regions of 64 KiB, keys of six bytes.
    pub const SHIPPED: Self = Self { reserved: 32, region_bits: 14, narrow: NarrowKeys::Bits48 };

    /// For tests: even small tables leave reserved numbers unused, have many regions and meet wide keys.
    pub const TINY: Self = Self { reserved: 3, region_bits: 6, narrow: NarrowKeys::Bits16 };
}

/// The width of narrow keys. A table that meets a wider one stores all keys in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NarrowKeys {
    /// Two bytes.
    Bits16,
    /// Six bytes.
    Bits48,
}

impl NarrowKeys {
    /// Keys below two to the power of this are narrow.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits16 => 16,
            Self::Bits48 => 48,
        }
    }
}
