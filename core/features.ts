import { housekeep } from './data/housekeeping.ts'
import { type Feature, feature } from './feature.ts'
import auth from './identity/auth/feature.ts'
import projects from './identity/projects/feature.ts'
import cash from './logistics/cash/feature.ts'
import labels from './logistics/labels/feature.ts'
import news from './logistics/news/feature.ts'
import parcels from './logistics/parcels/feature.ts'
import gateway from './platform/gateway/feature.ts'
import geo from './platform/geo/feature.ts'
import options from './platform/options/feature.ts'
import vault from './platform/vault/feature.ts'
import webhooks from './platform/webhooks/feature.ts'
import dispatch from './sales/dispatch/feature.ts'
import orders from './sales/orders/feature.ts'
import sending from './sales/sending/feature.ts'
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
export const features: readonly Feature[] = [
  house,
  vault,
  geo,
  options,
  gateway,
  webhooks,
  auth,
  projects,
  inventory,
  stores,
  connections,
  catalog,
  content,
  parcels,
  news,
  labels,
  cash,
  orders,
  sending,
  dispatch,
]
