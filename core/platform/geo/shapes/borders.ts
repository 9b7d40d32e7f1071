import { workerQueue } from '../../../lib/async/worker-queue.ts'
import { geoErrors } from '../geo.errors.ts'
import type { Point } from './earth.ts'

/** Border of a country. */
export interface CountryBorder {
  readonly type: 'MultiPolygon'
  readonly coordinates: [longitude: number, latitude: number][][][]
}

const busy = () => geoErrors.bordersBeingRead({ retryAfterSeconds: 5 })
/** Reads a border in a worker, off the event loop. */
const read = workerQueue<string, CountryBorder | null>(new URL('./borders.worker.ts', import.meta.url), {
  jobTimeoutMs: 20_000,
  maxJobs: 1_000,
  idleTimeoutMs: 0,
  timeoutError: busy,
  overloadError: busy,
})

const known = new Map<string, Promise<CountryBorder | null>>()

/** Returns true if a point lies in a country, including its coastal waters. Throws `unavailable` while the borders cannot be read. */
export async function isWithin(country: string, { latitude, longitude }: Point): Promise<boolean> {
  const borders = known.get(country) ?? read(country)
  known.set(country, borders)
  const found = await borders.catch((error) => {
    known.delete(country)
    throw error
  })
  if (found === null) return false
  const { booleanPointInPolygon } = await import('@turf/boolean-point-in-polygon')
  return booleanPointInPolygon([longitude, latitude], found)
}
