/** Position in degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

const RADIUS_KM = 6371.0088
const RADIANS = Math.PI / 180

/** Computes the great-circle distance in kilometres. */
export function distanceKm(a: Point, b: Point): number {
  const latitude = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2) ** 2
  const longitude = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2) ** 2
  const chord = latitude + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * longitude
  return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}
