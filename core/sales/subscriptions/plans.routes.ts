import { Type as T } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors.ts'
import { type Change, resource } from '../../http/resource.ts'
import { FREE, PlanFields, planCode } from './plans.model.ts'

const PLANS_MAX = 100

/** What stores may choose from. Administrators of the platform write it; the free plan stays, and stays free. */
export const plans = (context: Context) =>
  resource(
    context,
    { of: 'platform' },
    {
      name: 'plan',
      path: '/v1/plans',
      table: 'plans',
      prefix: 'pln',
      verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      fixed: T.Object({ code: planCode }),
      fields: PlanFields,
      defaults: { description: '', limits: {}, trialDays: 0, available: false },
      filters: ['available'],
      sorts: ['price', 'updatedAt'],
      item: { param: 'id', by: 'code' },
      shown: { to: 'anybody', where: { available: true } },
      most: PLANS_MAX,
      check: keepFree,
    },
  )

async function keepFree(_: unknown, { verb, row, values }: Change): Promise<void> {
  if (row?.code !== FREE) return
  if (verb === 'remove')
    throw new ApiError('conflict', 'Stores that have no other plan have this one: it stays. Change its limits instead.')
  if (values.price !== undefined && values.price !== 0) throw new ApiError('conflict', 'The free plan is free: make another one.')
}
