import { expect, spyOn, test } from 'bun:test'
import type { JobName } from '../../../core/data/jobs.ts'
import type { Job } from '../../../core/feature.ts'
import { features } from '../../../core/features.ts'
import { startApp } from '../../support/app.ts'
import { richTenant } from '../../support/rich-tenant.ts'

const scheduled = features.flatMap(({ jobs = {} }) =>
  (Object.entries(jobs) as [JobName, Job<JobName>][]).filter(([, { schedule }]) => schedule !== undefined),
)

test('every job that runs by a schedule runs to its end, on a database with rows', async () => {
  const app = await startApp()
  await richTenant(app)
  const problems: string[] = []
  const logged = spyOn(app.context.log, 'error')
  for (const [name, { work }] of scheduled)
    await work(app.context, {} as never, new AbortController().signal).catch((error) => problems.push(`${name}: ${error.message}`))
  expect(problems).toEqual([])
  expect(logged.mock.calls).toEqual([])
  expect(scheduled.length).toBeGreaterThan(20)
}, 120_000)
