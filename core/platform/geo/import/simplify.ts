import type { MultiPolygon } from '../shapes/border.ts'

type Position = readonly [longitude: number, latitude: number]
type Ring = readonly Position[]

/** Maximum points of a border. Maps of a country show no more. */
const CORNERS_MAX = 600
const RINGS_MAX = 100
const DECIMALS = 1e4
/** Tolerance in degrees: a few metres at first, doubled until the border has few enough points. */
const FINEST = 0.0002
const COARSEST = 1

/**
 * Simplifies outlines to the detail of a map, rounded to about ten metres. Islands and holes that are too small are omitted. Returns an
 * empty list if no tolerance is enough.
 */
export function simplifyBorder(surfaces: MultiPolygon): MultiPolygon {
  for (let tolerance = FINEST; tolerance < COARSEST; tolerance *= 2) {
    const found = surfaces.map((rings) => ringsOf(rings, tolerance)).filter((rings) => rings.length > 0)
    const rings = found.flat()
    if (rings.length <= RINGS_MAX && rings.reduce((sum, ring) => sum + ring.length, 0) <= CORNERS_MAX) return found
  }
  return []
}

/** Simplifies a polygon. Drops it with its holes if its outline is too small. */
function ringsOf([outline = [], ...holes]: readonly Ring[], tolerance: number): Ring[] {
  const outer = simplifyRing(outline, tolerance)
  if (outer.length < 4) return []
  return [outer, ...holes.map((hole) => simplifyRing(hole, tolerance)).filter((ring) => ring.length >= 4)]
}

function simplifyRing(ring: Ring, tolerance: number): Ring {
  const first = ring[0]
  if (!first) return []
  // Splits the ring at the point farthest from its start, and simplifies each half.
  const far = ring.reduce(
    (best, position, at) => (distanceBetween(position, first) > distanceBetween(ring[best] ?? first, first) ? at : best),
    0,
  )
  const simplified = [...douglasPeucker(ring.slice(0, far + 1), tolerance).slice(0, -1), ...douglasPeucker(ring.slice(far), tolerance)]
  const rounded = simplified.map(([longitude, latitude]): Position => [round(longitude), round(latitude)])
  return rounded.filter((position, at) => at === 0 || distanceBetween(position, rounded[at - 1] ?? position) > 0)
}

/** Simplifies a line by the Douglas-Peucker algorithm. Iterative, because an outline may have a hundred thousand points. */
function douglasPeucker(line: Ring, tolerance: number): Ring {
  const keep = new Set([0, line.length - 1])
  const open: [number, number][] = [[0, line.length - 1]]
  for (let part = open.pop(); part; part = open.pop()) {
    const [from, to] = part
    let [farthest, distance] = [-1, tolerance]
    for (let at = from + 1; at < to; at += 1) {
      const away = offset(line[at], line[from], line[to])
      if (away > distance) [farthest, distance] = [at, away]
    }
    if (farthest < 0) continue
    keep.add(farthest)
    open.push([from, farthest], [farthest, to])
  }
  return line.filter((_, at) => keep.has(at))
}

const distanceBetween = (a: Position, b: Position) => Math.hypot(a[0] - b[0], a[1] - b[1])
const round = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS

/** Returns the distance of a point from the line between two others. */
function offset(corner: Position | undefined, from: Position | undefined, to: Position | undefined): number {
  if (!corner || !from || !to) return 0
  const length = distanceBetween(from, to)
  if (length === 0) return distanceBetween(corner, from)
  return Math.abs((to[0] - from[0]) * (from[1] - corner[1]) - (from[0] - corner[0]) * (to[1] - from[1])) / length
}
