import type { MultiPolygon } from '../shapes/border.ts'

type Position = readonly [longitude: number, latitude: number]
type Ring = readonly Position[]

/** Corners of one border; more are nothing that a map of a country shows. */
const CORNERS_MAX = 600
const RINGS_MAX = 100
const DECIMALS = 1e4
/** Degrees: a few metres at first, then twice as much until it is few corners enough. */
const FINEST = 0.0002
const COARSEST = 1

/** The same outlines with no more corners than maps show, rounded to some ten metres; islands and holes too small for that are left out. */
export function simplified(surfaces: MultiPolygon): MultiPolygon {
  for (let tolerance = FINEST; tolerance < COARSEST; tolerance *= 2) {
    const found = surfaces.map((rings) => ringsOf(rings, tolerance)).filter((rings) => rings.length > 0)
    const rings = found.flat()
    if (rings.length <= RINGS_MAX && rings.reduce((sum, ring) => sum + ring.length, 0) <= CORNERS_MAX) return found
  }
  return []
}

/** A surface whose outline is too small goes with its holes. */
function ringsOf([outline = [], ...holes]: readonly Ring[], tolerance: number): Ring[] {
  const outer = simplifyRing(outline, tolerance)
  if (outer.length < 4) return []
  return [outer, ...holes.map((hole) => simplifyRing(hole, tolerance)).filter((ring) => ring.length >= 4)]
}

function simplifyRing(ring: Ring, tolerance: number): Ring {
  const first = ring[0]
  if (!first) return []
  // A ring ends where it begins: it is cut at its farthest corner, and each half is made simpler by itself.
  const far = ring.reduce((best, position, at) => (apart(position, first) > apart(ring[best] ?? first, first) ? at : best), 0)
  const kept = [...douglasPeucker(ring.slice(0, far + 1), tolerance).slice(0, -1), ...douglasPeucker(ring.slice(far), tolerance)]
  const rounded = kept.map(([longitude, latitude]): Position => [round(longitude), round(latitude)])
  return rounded.filter((position, at) => at === 0 || apart(position, rounded[at - 1] ?? position) > 0)
}

/** Without recursion, since an outline may have a hundred thousand corners. */
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

const apart = (a: Position, b: Position) => Math.hypot(a[0] - b[0], a[1] - b[1])
const round = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS

/** How far a corner lies from the line between two others. */
function offset(corner: Position | undefined, from: Position | undefined, to: Position | undefined): number {
  if (!corner || !from || !to) return 0
  const length = apart(from, to)
  if (length === 0) return apart(corner, from)
  return Math.abs((to[0] - from[0]) * (from[1] - corner[1]) - (from[0] - corner[0]) * (to[1] - from[1])) / length
}
