import { type Static, Type as T } from '@sinclair/typebox'
import type { Context } from '../../../context.ts'
import { money } from '../../../http/body/amount.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { type Change, resource } from '../../../http/resource/resource.ts'
import { FREE, PlanFields, planCode } from './plans.model.ts'

const PLANS_MAX = 100

/** Routes of plans, which platform administrators manage. The free plan cannot be deleted or get a price. */
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
      check: assertPlan,
    },
  )

async function assertPlan(_: unknown, change: Change): Promise<void> {
  assertFreePlan(change)
  if (change.verb === 'remove') return
  const { currency, price, extraOrderPrice } = { ...change.row, ...change.values } as Static<typeof PlanFields>
  money(Number(price), '/body/price', currency)
  money(Number(extraOrderPrice ?? 0), '/body/extraOrderPrice', currency)
}

function assertFreePlan({ verb, row, values }: Change): void {
  if (row?.code !== FREE) return
  if (verb === 'remove')
    throw new ApiError(
      'conflict',
      'The free plan cannot be deleted, because stores without another plan have it. Change its limits instead.',
    )
  if (values.price !== undefined && values.price !== 0)
    throw new ApiError('conflict', 'The free plan cannot have a price. Create another plan.')
}
