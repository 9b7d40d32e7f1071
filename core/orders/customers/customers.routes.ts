import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { parsePhone } from '../../http/body/phone.ts'
import { readList } from '../../http/resource/list.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { CustomerMerge, CustomerProfile, customerList } from './customers.model.ts'
import { findCustomer, listCustomers } from './customers.queries.ts'
import { mergeCustomers } from './merge-customers.ts'

const describe = tagOperations('Customers')
const ById = T.Object({ storeId: Id, customerId: Id })

/** Routes of a store's customers, one for each phone number that has ordered. */
export const customerRoutes = (context: Context) =>
  new Elysia({ name: 'customers', prefix: '/v1/stores/:storeId/customers' })
    .use(context.authority)
    .get(
      '',
      ({ store, query }) =>
        readList(context.sql, customerList, query, (reader, asked) => {
          const { phone, ...filter } = asked.filter
          const normal = phone === undefined ? {} : { phone: parsePhone(phone, store.countryCode, ['phone']) }
          return listCustomers(reader, store.id, { ...asked, filter: { ...filter, ...normal } })
        }),
      {
        store: ['viewer', 'orders:read'],
        params: T.Object({ storeId: Id }),
        query: customerList.query,
        response: List(CustomerProfile),
        detail: describe('List customers with the outcomes of their orders', 'listCustomers'),
      },
    )
    .get(
      '/:customerId',
      async ({ store, params: { customerId } }) => {
        const found = await findCustomer(context.sql, store.id, customerId)
        if (!found) throw notFound('The customer')
        return { data: found }
      },
      {
        store: ['viewer', 'orders:read'],
        params: ById,
        response: Data(CustomerProfile),
        detail: {
          ...describe('Read a customer with the outcomes of their orders', 'readCustomer'),
          description: "Their orders are listed by `GET /v1/orders?phone=`, with each of the customer's `phones`.",
        },
      },
    )
    .post(
      '/:customerId/merge',
      async ({ store, params: { customerId }, body }) => ({
        data: await transaction(context.sql, (tx) => mergeCustomers(tx, store.id, customerId, body.customerId)),
      }),
      {
        store: ['admin', 'orders:write'],
        params: ById,
        body: CustomerMerge,
        response: Data(CustomerProfile),
        detail: {
          ...describe('Merge another customer into this one: they are the same person', 'mergeCustomers'),
          description:
            'The orders stay as they are. From then on both phone numbers are one customer: in lists, figures, exports and erasures. Repeating the request changes nothing.',
        },
      },
    )
