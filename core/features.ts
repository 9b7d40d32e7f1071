import type { KindName } from '../plugins/kinds.ts'
import { housekeep } from './data/housekeeping.ts'
import { type Feature, feature } from './feature.ts'
import apps from './identity/apps/feature.ts'
import auth from './identity/auth/feature.ts'
import oauth from './identity/oauth/feature.ts'
import projects from './identity/projects/feature.ts'
import carriers from './logistics/carriers/feature.ts'
import cash from './logistics/cash/feature.ts'
import labels from './logistics/labels/feature.ts'
import news from './logistics/news/feature.ts'
import parcels from './logistics/parcels/feature.ts'
import gateway from './platform/gateway/feature.ts'
import geo from './platform/geo/feature.ts'
import options from './platform/options/feature.ts'
import vault from './platform/vault/feature.ts'
import { declareEvents } from './platform/webhooks/events.ts'
import webhooks from './platform/webhooks/feature.ts'
import dispatch from './sales/dispatch/feature.ts'
import orders from './sales/orders/feature.ts'
import payments from './sales/payments/feature.ts'
import sending from './sales/sending/feature.ts'
import type { OperationName } from './serving.ts'
import catalog from './shop/catalog/feature.ts'
import connections from './shop/connections/feature.ts'
import content from './shop/content/feature.ts'
import inventory from './shop/inventory/feature.ts'
import stores from './shop/stores/feature.ts'

/** What belongs to no feature. */
const house = feature('house', { jobs: { housekeeping: { at: '57 3 * * *', work: ({ sql }) => housekeep(sql) } } })

/**
 * All features, lower ones first: each may use those before it, and follows what happens to them in this order. District by district:
 * platform, identity, shop, logistics, sales.
 */
export const features = [
  house,
  vault,
  geo,
  options,
  gateway,
  webhooks,
  auth,
  projects,
  apps,
  oauth,
  inventory,
  stores,
  connections,
  catalog,
  content,
  carriers,
  parcels,
  news,
  labels,
  cash,
  orders,
  payments,
  sending,
  dispatch,
] as const satisfies readonly Feature[]

for (const { events = {} } of features) declareEvents(events)

type Served = NonNullable<(typeof features)[number]['serves']>
type NamesServed<S, K extends KindName> = S extends { readonly [Of in K]: infer Performers } ? keyof Performers : never
/** The operations that no feature performs. */
type Unserved = { [K in KindName]: Exclude<OperationName<K>, NamesServed<Served, K>> }[KindName]
/** Does not compile where there are any: then it is not `true` but their names. */
export const allIsServed: [Unserved] extends [never] ? true : Unserved = true
