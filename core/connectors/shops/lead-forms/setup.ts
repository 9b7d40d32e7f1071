import { SetUp } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { ApiError, invalidValue, notFound } from '../../../http/errors/errors.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { addCredentials, addSettings } from '../../../integrations/connections/note.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import { inTurn } from '../../sheet-export/slot.ts'
import { channelOf, lockChannel, updateChannel } from '../channels.queries.ts'
import { whyNotOf } from '../install/shop-identity.ts'
import { keyOf } from '../orders/match.ts'
import { requestPull } from '../orders/pull.ts'
import { requestSettling } from '../orders/request-settling.ts'
import { holdGoods, writeMatch } from '../stock/goods.queries.ts'
import type { LeadSetup, LeadSetupChange, NewLeadSetup } from './leads.model.ts'

const CALL_MS = 20_000
const DAY_MS = 86_400_000
/** Older answers are not kept by those who took them. */
const DAYS_BACK = 90

export type Setup = Pick<LeadSetup, 'pageId' | 'forms'>

/** The platform's forms, of one whose answers are orders. Throws `not_found` for shops. */
export function leadsOf({ mounted: { adapter } }: ConnectorConnection) {
  const { pages, forms, configure } = adapter
  if (!pages || !forms || !configure) throw new ApiError('not_found', `${adapter.label} has no forms: its orders are read as they are.`)
  return { pages, forms, configure }
}

/** Has the answers of these forms become orders, of whatever their products are, and of no others. They are told at `address` from then on. */
export async function configureLeads(
  context: Context,
  connection: ConnectorConnection,
  wanted: NewLeadSetup,
  address: string,
): Promise<LeadSetup> {
  return save(context, connection, asSetup(wanted), address)
}

/** The same with what is said in place of what was, and with the answers of the last months read again. */
export async function reconfigureLeads(
  context: Context,
  connection: ConnectorConnection,
  change: LeadSetupChange,
  address: string,
): Promise<LeadSetup> {
  const { setup } = await channelOf(context.sql, connection.row.id)
  if (!setup) throw notFound('A page whose forms are read; POST …/configure names one. It')
  const { pageId = setup.pageId, forms } = change
  const since = new Date(Date.now() - DAYS_BACK * DAY_MS).toISOString()
  return save(context, connection, { pageId, forms: forms ? asSetup({ pageId, forms }).forms : setup.forms }, address, since)
}

const asSetup = ({ pageId, forms }: NewLeadSetup): Setup => ({
  pageId,
  forms: forms.map(({ formId, fields, productId = null, variantId = null }) => ({
    formId,
    ...(fields && { fields }),
    productId,
    variantId,
  })),
})

/** One at a time: what the platform was told last is what is kept. */
async function save(context: Context, connection: ConnectorConnection, setup: Setup, address: string, since?: string): Promise<LeadSetup> {
  const { id, storeId } = connection.row
  await assertForms(context, storeId, setup)
  await assertPage(context, connection, setup)
  const { configure } = leadsOf(connection)
  const { pageId, forms } = setup
  const asked = { pageId, forms: forms.map(({ formId, fields }) => ({ formId, ...(fields && { fields }) })) }
  await inTurn(context, 'configure', id, async () => {
    const options = { operation: 'configure', deadlineMs: CALL_MS, schema: SetUp }
    const { credentials = {}, settings = {} } = await callAdapter(context, connection, (_, own) => configure(own, asked), options)
    const { adapter } = connection.mounted
    await addCredentials(context, connection, declared(credentials, adapter.credentials))
    await transaction(context.sql, async (tx) => {
      await lockChannel(tx, id)
      await addSettings(tx, id, declared(settings, adapter.settings))
      await updateChannel(tx, id, { setup, accountUnsure: true, ...askedBack(connection, address) })
      await match(tx, connection, setup)
      await recordAudit(tx, { storeId }, { what: 'connector.configured', thing: id, after: { pageId, forms: forms.length } })
      await requestPull(tx, connection.row, since)
      await requestSettling(tx, id)
    })
  })
  return { connectorId: id, storeId, ...setup }
}

/** Whose forms are set up tells of their answers as one that was asked to call back, and is asked again like those. */
const askedBack = ({ mounted: { adapter } }: ConnectorConnection, address: string) =>
  adapter.subscribe && { webhookAddress: address, subscribedAt: new Date().toISOString(), subscribeMessage: null }

/** A connection is of one page, and a store has one connection to each. */
async function assertPage({ sql }: Context, connection: ConnectorConnection, { pageId }: Setup): Promise<void> {
  if (!connection.mounted.adapter.account) return
  const problem = await transaction(sql, (tx) => whyNotOf(tx, connection, pageId))
  if (problem !== undefined) throw new ApiError('conflict', problem)
}

const declared = (given: Readonly<Record<string, string>>, fields: object) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(fields, name)))

async function assertForms({ sql }: Context, storeId: string, { forms }: Setup): Promise<void> {
  const ids = forms.map(({ formId }) => formId)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw invalidValue('/body/forms', `The form ${twice} is named twice.`)
  const wanted = forms.flatMap(({ productId }) => productId ?? [])
  const products = wanted.length === 0 ? [] : await findProducts(sql, storeId, [...new Set(wanted)])
  for (const [at, { productId, variantId }] of forms.entries()) {
    const product = products.find(({ id }) => id === productId)
    if (productId !== null && !product) throw invalidValue(`/body/forms/${at}/productId`, 'The store has no such product.')
    if (variantId !== null && !product?.variants.some(({ id }) => id === variantId))
      throw invalidValue(`/body/forms/${at}/variantId`, 'The product has no such variant.')
    if (product && product.variants.length > 0 && variantId === null)
      throw invalidValue(`/body/forms/${at}/variantId`, 'Say which variant of the product the form sells.')
  }
}

/** What a form sells is known before anybody answers it. */
async function match(tx: Tx, { row: { id: connectionId, storeId } }: ConnectorConnection, { forms }: Setup): Promise<void> {
  const sold = forms.filter(({ productId }) => productId !== null).toSorted((a, b) => (a.formId < b.formId ? -1 : 1))
  const goods = sold.map(({ formId }) => {
    const [sku, name] = [`form:${formId}`, `Form ${formId}`]
    return { connectionId, storeId, key: keyOf({ sku, name, quantity: 1, unitPrice: '0' }), id: newId('cgd'), sku, name, variant: null }
  })
  const rows = await holdGoods(tx, goods)
  for (const { formId, productId, variantId } of sold) {
    const row = rows.find(({ sku }) => sku === `form:${formId}`)
    if (row) await writeMatch(tx, row.id, { productId, variantId })
  }
}
