import type { KindName } from '../plugins/kinds.ts'
import actions from './assistant/actions/feature.ts'
import agents from './assistant/agents/feature.ts'
import chat from './assistant/chat/feature.ts'
import images from './assistant/images/feature.ts'
import landing from './assistant/landing/feature.ts'
import mcp from './assistant/mcp/feature.ts'
import models from './assistant/models/feature.ts'
import skills from './assistant/skills/feature.ts'
import tasks from './assistant/tasks/feature.ts'
import tools from './assistant/tools/feature.ts'
import ads from './connectors/ads/feature.ts'
import orderImport from './connectors/order-import/feature.ts'
import sheetExport from './connectors/sheet-export/feature.ts'
import shops from './connectors/shops/feature.ts'
import webConsole from './console/feature.ts'
import { type ConsistencyCheck, logDifferences } from './data/checks.ts'
import { idempotencyKeysTable } from './data/housekeeping.ts'
import { releaseJobsOfDead } from './data/jobs.ts'
import { createPartitions, maintainPartitions, type PartitionedTable } from './data/partitions.ts'
import { type Feature, feature } from './feature.ts'
import bulk from './fulfilment/bulk/feature.ts'
import dispatch from './fulfilment/dispatch/feature.ts'
import packing from './fulfilment/packing/feature.ts'
import sending from './fulfilment/sending/feature.ts'
import { personalResponses } from './http/idempotency.ts'
import apps from './identity/apps/feature.ts'
import auth from './identity/auth/feature.ts'
import codes from './identity/codes/feature.ts'
import oauth from './identity/oauth/feature.ts'
import passkeys from './identity/passkeys/feature.ts'
import social from './identity/social/feature.ts'
import tenants from './identity/tenants/feature.ts'
import transfers from './identity/transfers/feature.ts'
import users from './identity/users/feature.ts'
import orderFacts from './insights/order-facts/feature.ts'
import platformFigures from './insights/platform/feature.ts'
import productFigures from './insights/product/feature.ts'
import storeFigures from './insights/store/feature.ts'
import connections from './integrations/connections/feature.ts'
import egress from './integrations/egress/feature.ts'
import type { OperationName } from './integrations/operations/operation-registry.ts'
import carriers from './logistics/carriers/feature.ts'
import labels from './logistics/labels/feature.ts'
import parcels from './logistics/parcels/feature.ts'
import pickups from './logistics/pickups/feature.ts'
import tracking from './logistics/tracking/feature.ts'
import billing from './money/billing/feature.ts'
import cash from './money/cash/feature.ts'
import gatewayPayouts from './money/gateway-payouts/feature.ts'
import ledger from './money/ledger/feature.ts'
import payments from './money/payments/feature.ts'
import remittances from './money/remittances/feature.ts'
import orderChanges from './orders/changes/feature.ts'
import confirmation from './orders/confirmation/feature.ts'
import customers from './orders/customers/feature.ts'
import orders from './orders/feature.ts'
import privacy from './orders/privacy/feature.ts'
import storeSearch from './orders/store-search/feature.ts'
import storeWebhooks from './orders/store-webhooks/feature.ts'
import audit from './platform/audit/feature.ts'
import files from './platform/files/feature.ts'
import geo from './platform/geo/feature.ts'
import mail from './platform/mail/feature.ts'
import options from './platform/options/feature.ts'
import vault from './platform/vault/feature.ts'
import { declareEvents } from './platform/webhooks/events.ts'
import webhooks from './platform/webhooks/feature.ts'
import { declareAttention } from './shop/attention/attention-source.ts'
import attention from './shop/attention/feature.ts'
import catalog from './shop/catalog/feature.ts'
import content from './shop/content/feature.ts'
import domains from './shop/domains/feature.ts'
import projectGeo from './shop/geo/feature.ts'
import imports from './shop/imports/feature.ts'
import inventory from './shop/inventory/feature.ts'
import stores from './shop/stores/feature.ts'
import uploads from './shop/uploads/feature.ts'

/** Work that belongs to no other feature: housekeeping, jobs of dead processes, and answers to idempotent requests. */
const base = feature('base', {
  partitions: [idempotencyKeysTable],
  personalData: [personalResponses],
  subscribers: { 'process.died': releaseJobsOfDead },
  // Creates missing partitions before the first write, even after a long stop.
  async setup({ sql, log }) {
    await createPartitions(sql, listPartitionedTables(), log)
    return { services: {} }
  },
  jobs: {
    housekeeping: { schedule: '7 * * * *', work: ({ sql, log }) => maintainPartitions(sql, listPartitionedTables(), log) },
    'checks.run': { schedule: '37 3 * * *', work: ({ sql, log }, _, signal) => logDifferences(sql, log, listChecks(), signal) },
  },
})

/**
 * All features, lower ones first. Each may use those before it, and its subscribers run in this order. The domains in order: platform,
 * identity, shop, integrations, logistics, orders, fulfilment, money, insights, connectors, assistant, console.
 */
export const features = [
  base,
  vault,
  geo,
  options,
  mail,
  audit,
  files,
  webhooks,
  auth,
  tenants,
  apps,
  codes,
  transfers,
  passkeys,
  social,
  oauth,
  users,
  inventory,
  stores,
  attention,
  projectGeo,
  domains,
  uploads,
  imports,
  catalog,
  content,
  egress,
  connections,
  carriers,
  pickups,
  parcels,
  tracking,
  labels,
  customers,
  orderChanges,
  orders,
  privacy,
  confirmation,
  storeWebhooks,
  storeSearch,
  sending,
  dispatch,
  bulk,
  packing,
  ledger,
  remittances,
  payments,
  gatewayPayouts,
  cash,
  billing,
  productFigures,
  storeFigures,
  platformFigures,
  orderFacts,
  sheetExport,
  shops,
  orderImport,
  ads,
  models,
  actions,
  tasks,
  images,
  landing,
  mcp,
  agents,
  skills,
  tools,
  chat,
  webConsole,
] as const satisfies readonly Feature[]

for (const { events = {}, attention = [] } of features as readonly Feature[]) {
  declareEvents(events)
  declareAttention(attention)
}

/** Lists the tables of all features that are partitioned by time. */
export function listPartitionedTables(): readonly PartitionedTable[] {
  return (features as readonly Feature[]).flatMap(({ partitions = [] }) => partitions)
}

/** Lists the consistency checks of all features. */
export function listChecks(): readonly ConsistencyCheck[] {
  return (features as readonly Feature[]).flatMap(({ checks = [] }) => checks)
}

type Handled = NonNullable<(typeof features)[number]['operations']>
type NamesHandled<H, K extends KindName> = H extends { readonly [Of in K]: infer Handlers } ? keyof Handlers : never
/** Operations that no feature handles. */
type Unhandled = { [K in KindName]: Exclude<OperationName<K>, NamesHandled<Handled, K>> }[KindName]
// Does not compile when an operation has no handler: the error names the missing ones.
true satisfies [Unhandled] extends [never] ? true : Unhandled
