import { feature } from '@rapideditor/country-coder'
import { answerJobs } from '../../../lib/async/worker-queue.ts'
import type { Borders } from './borders.ts'

/** All borders of the world take a fifth of a second to read; those of one country are kept. */
answerJobs<string, Borders | null>(async (country) => {
  const geometry = feature(country)?.geometry
  return geometry?.type === 'MultiPolygon' ? (geometry as Borders) : null
})
