import { Type as T } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { resource } from '../../http/resource.ts'
import { Text } from '../../http/schema.ts'

/** Currencies, by id or code: the platform's, for anybody to read. */
export const currencies = (context: Context) =>
  resource(
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
      fixed: T.Object({ code: T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217; it can stand for the id' }) }),
      fields: T.Object({
        name: Text(120, 1),
        symbol: Text(12, 1),
        decimals: T.Optional(T.Integer({ minimum: 0, maximum: 4, description: 'digits after the point; 2 unless said' })),
        enabled: T.Optional(T.Boolean({ description: 'whether it is listed; on unless said' })),
      }),
      defaults: { decimals: 2, enabled: true },
      shown: { to: 'anybody', where: { enabled: true } },
      filters: ['enabled'],
      sorts: ['name', 'code', 'updatedAt'],
      search: 'name',
    },
  )
