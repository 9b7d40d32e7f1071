import { feature } from '@rapideditor/country-coder'
import { serveWorkerJobs } from '../../../lib/async/worker-queue.ts'
import type { CountryBorder } from './borders.ts'

// Reads the borders of the world, which takes a fifth of a second. The caller caches the border of its country.
serveWorkerJobs<string, CountryBorder | null>(async (country) => {
  const geometry = feature(country)?.geometry
  return geometry?.type === 'MultiPolygon' ? (geometry as CountryBorder) : null
})
