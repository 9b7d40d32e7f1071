import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { parsePhone } from '../../http/body/phone.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { readCustomer } from '../customers/customers.ts'
import type { ErasureRow } from './erasures.queries.ts'
import { findErasure, listErasures } from './erasures.queries.ts'
import { exportPerson } from './export-person.ts'
import { ErasePerson, Erasure, PersonExport, RETAINED_DATA } from './privacy.model.ts'
import { requestErasure } from './request-erasure.ts'

const describe = tagOperations('Customers')
const OfStore = T.Object({ storeId: Id })
const ById = T.Object({ storeId: Id, customerId: Id })
const ERASURE_DESCRIPTION =
  'Name, phone numbers, address, e-mail, notes and every other personal field become `[erased]` everywhere: in orders, parcels, timelines, traces, webhook bodies, chats, inboxes and stored responses. Amounts, lines, stock and statuses stay. The erasure runs in the background; `GET /v1/stores/{storeId}/erasures/{erasureId}` shows its progress. Later orders of the same person belong to a new customer.'

const presentErasure = ({ id, storeId, cause, state, customers, orders, parcels, askedAt, doneAt, carriersTold }: ErasureRow): Erasure => ({
  id,
  storeId,
  cause,
  state,
  customers,
  orders,
  parcels,
  askedAt,
  doneAt,
  kept: RETAINED_DATA.map((kept) => ({ ...kept })),
  carriers: [...carriersTold],
})

/** Routes for the rights of a person over their data: export and erasure. */
export const privacyRoutes = (context: Context) =>
  new Elysia({ name: 'privacy', prefix: '/v1/stores/:storeId' })
    .use(context.authority)
    .get(
      '/customers/:customerId/export',
      async ({ store, params: { customerId }, set }) => {
        const exported = await exportPerson(context.sql, store, customerId)
        if (!exported) throw notFound('The customer')
        set.headers['content-disposition'] = `attachment; filename="customer-${exported.data.customer.id}.json"`
        set.headers['cache-control'] = 'private, no-store'
        return exported
      },
      {
        store: ['admin', 'orders:read'],
        params: ById,
        response: PersonExport,
        detail: describe('Export all data of a customer as a file', 'exportCustomer'),
      },
    )
    .post(
      '/customers/:customerId/erase',
      (creation) =>
        createOnce(context, creation, async (tx) => {
          const { store, params } = creation
          if (!(await readCustomer(tx, store.id, params.customerId))) throw notFound('The customer')
          return { data: presentErasure(await requestErasure(context, tx, store, 'request', { customerIds: [params.customerId] })) }
        }),
      {
        store: ['admin', 'orders:write'],
        params: ById,
        response: { 201: Data(Erasure) },
        detail: { ...describe('Erase a customer', 'eraseCustomer'), description: ERASURE_DESCRIPTION },
      },
    )
    .post(
      '/erasures',
      (creation) =>
        createOnce(context, creation, async (tx) => {
          const { store, body } = creation
          const phones = body.phone === undefined ? [] : [parsePhone(body.phone, store.countryCode, ['phone'])]
          const emails = body.email === undefined ? [] : [body.email]
          return { data: presentErasure(await requestErasure(context, tx, store, 'request', { phones, emails })) }
        }),
      {
        store: ['admin', 'orders:write'],
        params: OfStore,
        body: ErasePerson,
        response: { 201: Data(Erasure) },
        detail: {
          ...describe('Erase a person by phone number or e-mail address, also one without an order', 'erasePerson'),
          description: ERASURE_DESCRIPTION,
        },
      },
    )
    .get(
      '/erasures',
      async ({ store, query }) => {
        const found = await readKeysetPage(query, (before, take) => listErasures(context.sql, store.id, before, take))
        return { ...found, data: found.data.map(presentErasure) }
      },
      {
        store: ['admin', 'orders:read'],
        params: OfStore,
        query: T.Object(pageQuery),
        response: List(Erasure),
        detail: describe('List erasures, newest first', 'listErasures'),
      },
    )
    .get(
      '/erasures/:erasureId',
      async ({ store, params: { erasureId } }) => {
        const found = await findErasure(context.sql, store.id, erasureId)
        if (!found) throw notFound('The erasure')
        return { data: presentErasure(found) }
      },
      {
        store: ['admin', 'orders:read'],
        params: T.Object({ storeId: Id, erasureId: Id }),
        response: Data(Erasure),
        detail: describe('Read the progress of an erasure, and the data that stays', 'readErasure'),
      },
    )
