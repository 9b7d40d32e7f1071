import { type Static, Type as T } from '@sinclair/typebox'
import type { Context } from '../../../context.ts'
import { parseMoney } from '../../../http/body/amount.ts'
import { type Change, resourceRoutes } from '../../../http/resource/resource.ts'
import { billingErrors } from '../billing.errors.ts'
import { FREE_PLAN, PlanFields, planCode } from './plans.model.ts'

const PLANS_MAX = 100

/** Routes of plans, which platform administrators manage. The free plan cannot be deleted or get a price. */
export const plans = (context: Context) =>
  resourceRoutes(
    context,
    { of: 'platform' },
    {
      name: 'plan',
      path: '/v1/plans',
      table: 'plans',
      prefix: 'pln',
      verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      createOnlyFields: T.Object({ code: planCode }),
      fields: PlanFields,
      defaults: { description: '', limits: {}, trialDays: 0, available: false },
      filters: ['available'],
      sorts: ['price', 'updatedAt'],
      item: { param: 'id', by: 'code' },
      publicView: { to: 'anybody', where: { available: true } },
      maxRows: PLANS_MAX,
      check: assertPlan,
    },
  )

async function assertPlan(_: unknown, change: Change): Promise<void> {
  assertFreePlan(change)
  if (change.verb === 'remove') return
  const { currency, price, extraOrderPrice } = { ...change.row, ...change.values } as Static<typeof PlanFields>
  parseMoney(Number(price), ['price'], currency)
  parseMoney(Number(extraOrderPrice ?? 0), ['extraOrderPrice'], currency)
}

function assertFreePlan({ verb, row, values }: Change): void {
  if (row?.code !== FREE_PLAN) return
  if (verb === 'remove') throw billingErrors.freePlanNotDeletable()
  if (values.price !== undefined && values.price !== 0) throw billingErrors.freePlanHasNoPrice()
}
