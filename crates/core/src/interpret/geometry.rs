//! Maps, rays and groups, by whole sets of tiles.

use crate::bitboard::{self as bits, Bits};
use crate::ir::{Code, LinksId, Map, RayOrder, Rays, Slide};

/// The images of the tiles of a set.
#[inline(always)]
pub(super) fn image<const W: usize>(map: &Map, set: &Bits<W>) -> Bits<W> {
    if let Some(offset) = map.offset {
        let mut from = [0; W];
        from.copy_from_slice(&map.domain[..W]);
        return bits::shift(&bits::and(set, &from), offset);
    }
    image_by_tile(map, set)
}

#[inline(never)]
fn image_by_tile<const W: usize>(map: &Map, set: &Bits<W>) -> Bits<W> {
    let mut images = [0; W];
    for tile in bits::tiles(set) {
        let image = map.images[tile];
        if image != u16::MAX {
            bits::insert(&mut images, image.into());
        }
    }
    images
}

/// The tiles whose image lies in a set.
#[inline(always)]
pub(super) fn preimage<const W: usize>(map: &Map, set: &Bits<W>) -> Bits<W> {
    let mut domain = [0; W];
    domain.copy_from_slice(&map.domain[..W]);
    if let Some(offset) = map.offset {
        return bits::and(&bits::shift(set, -offset), &domain);
    }
    preimage_by_tile(map, set, &domain)
}

#[inline(never)]
fn preimage_by_tile<const W: usize>(map: &Map, set: &Bits<W>, domain: &Bits<W>) -> Bits<W> {
    let mut origins = [0; W];
    for tile in bits::tiles(domain) {
        if bits::contains(set, map.images[tile].into()) {
            bits::insert(&mut origins, tile);
        }
    }
    origins
}

/// The images of a set, and of those of them that lie in another set, and so on.
pub(super) fn images<const W: usize>(map: &Map, from: &Bits<W>, over: &Bits<W>) -> Bits<W> {
    let mut all = [0; W];
    let mut front = *from;
    while !bits::is_empty(&front) {
        let next = bits::and_not(&image(map, &front), &all);
        all = bits::or(&all, &next);
        front = bits::and(&next, over);
    }
    all
}

/// The maps that connect tiles, each with whether it is followed backwards too.
pub(super) fn maps(code: &Code, links: LinksId) -> impl Iterator<Item = (&Map, bool)> + Clone {
    let links = &code.links[links.index()];
    links.maps.iter().map(|map| (&code.maps[map.index()], links.both))
}

/// What can be reached within a set.
pub(super) fn flood<'m, const W: usize>(
    maps: impl Iterator<Item = (&'m Map, bool)> + Clone,
    from: &Bits<W>,
    over: &Bits<W>,
) -> Bits<W> {
    let mut all = bits::and(from, over);
    let mut front = all;
    while !bits::is_empty(&front) {
        let near = maps.clone().fold([0; W], |near, (map, both)| {
            let near = bits::or(&near, &image(map, &front));
            if both { bits::or(&near, &preimage(map, &front)) } else { near }
        });
        front = bits::and_not(&bits::and(&near, over), &all);
        all = bits::or(&all, &front);
    }
    all
}

/// Takes the group of the lowest tile out of a set, if it has a tile.
pub(super) fn take_group<const W: usize>(
    code: &Code,
    links: LinksId,
    left: &mut Bits<W>,
) -> Option<Bits<W>> {
    let mut seed = [0; W];
    bits::insert(&mut seed, bits::lowest(left)?);
    let group = flood(maps(code, links), &seed, left);
    *left = bits::and_not(left, &group);
    Some(group)
}

impl Rays {
    #[inline(always)]
    fn mask<const W: usize>(&self, tile: usize) -> Bits<W> {
        let mut mask = [0; W];
        mask.copy_from_slice(&self.masks[tile * W..][..W]);
        mask
    }

    /// The first tile of a ray that lies in a set.
    #[inline(always)]
    fn first<const W: usize>(&self, tile: usize, set: &Bits<W>) -> Option<usize> {
        match self.order {
            RayOrder::Ascending => bits::lowest(&bits::and(&self.mask(tile), set)),
            RayOrder::Descending => bits::highest(&bits::and(&self.mask(tile), set)),
            RayOrder::Mixed => {
                let ray = self.tiles[tile].iter().map(|&tile| usize::from(tile));
                ray.into_iter().find(|&tile| bits::contains(set, tile))
            }
        }
    }

    /// The tiles of a ray up to the first that lies in a set, that one included.
    #[inline(always)]
    fn seen<const W: usize>(&self, tile: usize, stops: &Bits<W>) -> Bits<W> {
        match self.first(tile, stops) {
            None => self.mask(tile),
            Some(end) => {
                let mut seen = self.before(tile, end);
                bits::insert(&mut seen, end);
                seen
            }
        }
    }

    /// The tiles of a ray before one that lies on it.
    #[inline(always)]
    fn before<const W: usize>(&self, tile: usize, end: usize) -> Bits<W> {
        if self.order == RayOrder::Mixed {
            let mut set = [0; W];
            let ray = self.tiles[tile].iter().map(|&tile| usize::from(tile));
            ray.take_while(|&tile| tile != end).for_each(|tile| bits::insert(&mut set, tile));
            return set;
        }
        let mut beyond = self.mask(end);
        bits::insert(&mut beyond, end);
        bits::and_not(&self.mask(tile), &beyond)
    }
}

/// The tiles seen from a tile along rays that end at the first tile of a set, that tile included.
#[inline(always)]
pub(super) fn slide<const W: usize>(slide: &Slide, tile: usize, stops: &Bits<W>) -> Bits<W> {
    if W == 1 && slide.pair_count > 0 {
        let pairs = &slide.pairs[tile * slide.pair_count..][..slide.pair_count];
        let mut seen = 0;
        for pair in pairs {
            seen |= seen_by_pair(*pair, stops[0]);
        }
        return [seen; W];
    }
    slide_by_ray(slide, tile, stops)
}

#[inline(never)]
fn slide_by_ray<const W: usize>(slide: &Slide, tile: usize, stops: &Bits<W>) -> Bits<W> {
    slide.rays.iter().fold([0; W], |seen, rays| bits::or(&seen, &rays.seen(tile, stops)))
}

/// The same along a descending and an ascending ray, without a branch: the difference borrows from
/// the first stop above down to the first one below.
#[inline(always)]
fn seen_by_pair([lower, upper]: [u64; 2], stops: u64) -> u64 {
    let above = upper & stops;
    let below = 1 << 63 >> (lower & stops | 1).leading_zeros();
    (lower | upper) & (above ^ above.wrapping_sub(below))
}

/// The tiles between two tiles along the first of some rays that leads from one to the other.
#[inline(never)]
pub(super) fn between<const W: usize>(slide: &Slide, one: usize, other: usize) -> Bits<W> {
    let leads = |rays: &&Rays| bits::contains(&rays.mask::<W>(one), other);
    let rays = slide.rays.iter().find(leads);
    rays.map_or([0; W], |rays| rays.before(one, other))
}

/// The first tile of a set along the only ray of a slide.
#[inline(always)]
pub(super) fn first<const W: usize>(slide: &Slide, tile: usize, set: &Bits<W>) -> Option<usize> {
    slide.rays.iter().find_map(|rays| rays.first(tile, set))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rays on an 8 by 8 board by steps of a column and a row.
    fn rays((right, up): (i32, i32)) -> Rays {
        let mask = |tile: i32| {
            let on_board = |&(x, y): &(i32, i32)| (0..8).contains(&x) && (0..8).contains(&y);
            let along = (1..8).map(|step| (tile % 8 + right * step, tile / 8 + up * step));
            along.take_while(on_board).fold(0, |mask, (x, y)| mask | 1u64 << (y * 8 + x))
        };
        let ascends = up * 8 + right > 0;
        let order = if ascends { RayOrder::Ascending } else { RayOrder::Descending };
        Rays { masks: (0..64).map(mask).collect(), order, tiles: Vec::new() }
    }

    #[test]
    fn pairs_of_rays_see_what_each_ray_sees() {
        let ways = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for count in 1..=ways.len() {
            let slide_of = Slide::new(1, ways[..count].iter().map(|&way| rays(way)).collect());
            assert!(slide_of.pair_count > 0);
            for round in 0..400 {
                word ^= word << 13;
                word ^= word >> 7;
                word ^= word << 17;
                let stops = match round % 4 {
                    0 => [word],
                    1 => [word & word.rotate_left(21)],
                    2 => [word & word.rotate_left(21) & word.rotate_left(42)],
                    _ => [if round % 8 == 3 { 0 } else { u64::MAX }],
                };
                for tile in 0..64 {
                    let each = slide_by_ray(&slide_of, tile, &stops);
                    assert_eq!(slide(&slide_of, tile, &stops), each, "from {tile} by {count}");
                }
            }
        }
    }
}
