import { feature } from '@rapideditor/country-coder'
import { answerJobs } from '../../../lib/async/worker-queue.ts'
import type { Borders } from './borders.ts'

// Reads the borders of the world, which takes a fifth of a second. The caller caches the border of its country.
answerJobs<string, Borders | null>(async (country) => {
  const geometry = feature(country)?.geometry
  return geometry?.type === 'MultiPolygon' ? (geometry as Borders) : null
})
