import type { Context } from '../context.ts'
import type { CronEntry, JobHandlers } from '../data/jobs.ts'
import { pruneDeliveries } from './deliveries.ts'
import { tellOwner } from './tell-owner.ts'

export const webhookJobs = (context: Context): Pick<JobHandlers, 'webhooks.tell-owner' | 'webhooks.prune'> => ({
  'webhooks.tell-owner': ({ noticeId }) => tellOwner(context, noticeId),
  'webhooks.prune': (_, signal) => pruneDeliveries(context.sql, signal),
})

export const webhookCron: readonly CronEntry[] = [{ job: 'webhooks.prune', at: '17 3 * * *' }]
