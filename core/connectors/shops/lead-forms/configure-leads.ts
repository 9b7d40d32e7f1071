import { SetUp } from '../../../../plugins/connector/linking.model.ts'
import type { Context } from '../../../context.ts'
import { projectIdOf } from '../../../data/project-ids.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { addConnectionCredentials, addConnectionSettings } from '../../../integrations/connections/update-connection.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { catalogErrors } from '../../../shop/catalog/catalog.errors.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import { withFileLease } from '../../sheet-export/file-lease.ts'
import { findAccountConflict } from '../install/shop-identity.ts'
import { goodsKeyOf } from '../orders/match-goods.ts'
import { requestPull } from '../orders/pull-orders.ts'
import { requestPendingImport } from '../orders/request-pending-import.ts'
import { findOrInsertShopSync, lockShopSync, updateShopSync } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { insertAndLockGoods, updateGoodsMatch } from '../stock/goods.queries.ts'
import type { LeadSetup, LeadSetupChange, NewLeadSetup } from './leads.model.ts'

const CALL_MS = 20_000
/** Days for which platforms keep answers. */
const DAYS_BACK = 90

/** Page and forms of a setup. */
export type LeadFormsSetup = Pick<LeadSetup, 'pageId' | 'forms'>

/** Returns the members of an adapter that reads lead forms. Throws `not_found` for shops. */
export function leadFormsOf({ mounted: { adapter } }: ConnectorConnection) {
  const { pages, forms, configure } = adapter
  if (!pages || !forms || !configure) throw connectorShopErrors.noForms({ label: adapter.label })
  return { pages, forms, configure }
}

/**
 * Sets the forms whose answers are imported as orders of their products, replacing earlier ones. The platform sends answers to `address`.
 */
export async function configureLeads(
  context: Context,
  connection: ConnectorConnection,
  request: NewLeadSetup,
  address: string,
): Promise<LeadSetup> {
  return saveSetup(context, connection, setupOf(request), address)
}

/** Changes the forms, and reads the answers of the last 90 days again. Throws `not_found` without a setup. */
export async function reconfigureLeads(
  context: Context,
  connection: ConnectorConnection,
  change: LeadSetupChange,
  address: string,
): Promise<LeadSetup> {
  const { setup } = await findOrInsertShopSync(context.sql, connection.row)
  if (!setup) throw notFound('A page with forms to import; POST …/configure sets one. It')
  const { pageId = setup.pageId, forms } = change
  const since = new Date(Date.now() - DAYS_BACK * DAY_MS).toISOString()
  return saveSetup(context, connection, { pageId, forms: forms ? setupOf({ pageId, forms }).forms : setup.forms }, address, since)
}

const setupOf = ({ pageId, forms }: NewLeadSetup): LeadFormsSetup => ({
  pageId,
  forms: forms.map(({ formId, fields, productId = null, variantId = null }) => ({
    formId,
    ...(fields && { fields }),
    productId,
    variantId,
  })),
})

/** Saves a setup under a lease, so that the platform and the database agree. */
async function saveSetup(
  context: Context,
  connection: ConnectorConnection,
  setup: LeadFormsSetup,
  address: string,
  since?: string,
): Promise<LeadSetup> {
  const { id, storeId } = connection.row
  await assertForms(context, storeId, setup)
  await assertPage(context, connection, setup)
  const { configure } = leadFormsOf(connection)
  const { pageId, forms } = setup
  const request = { pageId, forms: forms.map(({ formId, fields }) => ({ formId, ...(fields && { fields }) })) }
  await withFileLease(context, 'configure', id, async () => {
    const options = { operation: 'configure', deadlineMs: CALL_MS, schema: SetUp }
    const { credentials = {}, settings = {} } = await callAdapter(context, connection, (_, own) => configure(own, request), options)
    const { adapter } = connection.mounted
    await addConnectionCredentials(context, connection, onlyDeclared(credentials, adapter.credentials))
    await transaction(context.sql, async (tx) => {
      await lockShopSync(tx, connection.row)
      await addConnectionSettings(tx, connection.row, onlyDeclared(settings, adapter.settings))
      await updateShopSync(tx, connection.row, { setup, accountUnsure: true, ...subscriptionOf(connection, address) })
      await matchForms(tx, connection, setup)
      await recordAudit(tx, { storeId }, { what: 'connector.configured', thing: id, after: { pageId, forms: forms.length } })
      await requestPull(tx, connection.row, since)
      await requestPendingImport(tx, id)
    })
  })
  return { connectorId: id, storeId, ...setup }
}

/** Returns the subscription state: setting up forms registers their webhook, which is renewed like all others. */
const subscriptionOf = ({ mounted: { adapter } }: ConnectorConnection, address: string) =>
  adapter.subscribe && { webhookAddress: address, subscribedAt: new Date().toISOString(), subscribeMessage: null }

/** Throws `conflict` if the connection belongs to another page, or another connection of the store to this page. */
async function assertPage({ sql }: Context, connection: ConnectorConnection, { pageId }: LeadFormsSetup): Promise<void> {
  if (!connection.mounted.adapter.account) return
  const conflict = await transaction(sql, (tx) => findAccountConflict(tx, connection, pageId))
  if (conflict !== undefined) throw conflict
}

const onlyDeclared = (given: Readonly<Record<string, string>>, fields: object) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(fields, name)))

async function assertForms({ sql }: Context, storeId: string, { forms }: LeadFormsSetup): Promise<void> {
  const ids = forms.map(({ formId }) => formId)
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at)
  if (repeated !== undefined) throw connectorShopErrors.formRepeated({ repeated }, { field: ['forms'] })
  const productIds = forms.flatMap(({ productId }) => productId ?? [])
  const products = productIds.length === 0 ? [] : await findProducts(sql, projectIdOf(storeId), [...new Set(productIds)])
  for (const [at, { productId, variantId }] of forms.entries()) {
    const product = products.find(({ id }) => id === productId)
    if (productId !== null && !product) throw catalogErrors.productUnknown({ field: ['forms', at, 'productId'] })
    if (variantId !== null && !product?.variants.some(({ id }) => id === variantId))
      throw catalogErrors.variantUnknown({ field: ['forms', at, 'variantId'] })
    if (product && product.variants.length > 0 && variantId === null)
      throw connectorShopErrors.variantMissing({ field: ['forms', at, 'variantId'] })
  }
}

/** Matches each form with its product before anybody answers it. */
async function matchForms(tx: Tx, { row: { id: connectionId, projectId } }: ConnectorConnection, { forms }: LeadFormsSetup): Promise<void> {
  const sold = forms.filter(({ productId }) => productId !== null).toSorted((a, b) => (a.formId < b.formId ? -1 : 1))
  const goods = sold.map(({ formId }) => {
    const [sku, name] = [`form:${formId}`, `Form ${formId}`]
    return {
      projectId,
      connectionId,
      key: goodsKeyOf({ sku, name, quantity: 1, unitPrice: '0' }),
      id: newId('cgd'),
      sku,
      name,
      variant: null,
    }
  })
  const rows = await insertAndLockGoods(tx, goods)
  for (const { formId, productId, variantId } of sold) {
    const row = rows.find(({ sku }) => sku === `form:${formId}`)
    if (row) await updateGoodsMatch(tx, row, { productId, variantId })
  }
}
