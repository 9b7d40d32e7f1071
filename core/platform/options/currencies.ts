import { Type as T } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { type Change, resourceRoutes } from '../../http/resource/resource.ts'
import { Text } from '../../http/schema.ts'
import { lockCurrency } from './currencies.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published before a currency is deleted, under its lock. A subscriber that needs the currency throws. */
    'currency.deleted': { code: string }
  }
}

async function assertUnused(tx: Tx, { verb, row }: Change): Promise<void> {
  if (verb !== 'remove' || !row) return
  const code = String(row.code)
  await lockCurrency(tx, code)
  await publish(tx, 'currency.deleted', { code })
}

/** Builds the routes of currencies, which belong to the platform. Anyone may read them, by id or code. */
export const currencyRoutes = (context: Context) =>
  resourceRoutes(
    context,
    { of: 'platform' },
    {
      name: 'currency',
      plural: 'currencies',
      path: '/v1/currencies',
      table: 'currencies',
      prefix: 'cur',
      verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      item: { param: 'id', by: 'code' },
      createOnlyFields: T.Object({ code: T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217; it can stand for the id' }) }),
      fields: T.Object({
        name: Text(120, 1),
        symbol: Text(12, 1),
        decimals: T.Optional(
          T.Integer({
            minimum: 0,
            maximum: 4,
            description:
              'digits after the decimal point in displayed prices; 2 by default. Amounts are stored with as many as ISO 4217 gives the currency',
          }),
        ),
        enabled: T.Optional(T.Boolean({ description: 'whether it is listed; true by default' })),
      }),
      defaults: { decimals: 2, enabled: true },
      publicView: { to: 'anybody', where: { enabled: true } },
      filters: ['enabled'],
      sorts: ['name', 'code', 'updatedAt'],
      search: 'name',
      check: assertUnused,
    },
  )
