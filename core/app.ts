import { Elysia } from 'elysia'
import packageJson from '../package.json' with { type: 'json' }
import { mountCarriers } from '../plugins/host/mount.ts'
import { session } from './auth/session.routes.ts'
import { cash } from './cash/cash.routes.ts'
import { products } from './catalog/products.routes.ts'
import { promos } from './catalog/promos.ts'
import type { Context } from './context.ts'
import { dispatcher } from './dispatch/dispatch.routes.ts'
import { traces } from './gateway/traces.routes.ts'
import { geo } from './geo/geo.routes.ts'
import { edge, requestLog } from './http/edge.ts'
import { envelope } from './http/envelope.ts'
import { describe } from './http/openapi.ts'
import { reference } from './http/reference.routes.ts'
import { bridge } from './integrations/bridge.routes.ts'
import { carrierHost } from './integrations/carrier-host.ts'
import { integrations } from './integrations/integrations.routes.ts'
import { statusRules } from './integrations/status-rules.routes.ts'
import { inventory } from './inventory/inventory.routes.ts'
import { orders } from './orders/orders.routes.ts'
import { parcels } from './parcels/parcels.routes.ts'
import { projects } from './projects/projects.routes.ts'
import { stores } from './stores/stores.routes.ts'
import { webhooks } from './webhooks/webhooks.routes.ts'

const features = [
  session,
  projects,
  stores,
  inventory,
  products,
  promos,
  orders,
  parcels,
  integrations,
  statusRules,
  traces,
  cash,
  bridge,
  dispatcher,
  geo,
  webhooks,
] as const

const about = {
  title: 'Serai',
  version: '1',
  description:
    'Commerce and logistics for cash-on-delivery shops: storefront orders become parcels at a carrier, and signed webhooks tell what happens to them.',
}

/** Composes the whole application. Pure: calling it again is how a plugin is added, changed or removed. */
export function buildApp(context: Context) {
  const app = new Elysia({ systemRouter: false, normalize: false } as object)
    .use(edge(context.config.corsOrigins))
    .use(envelope(context.log))
    .use(requestLog(context.log))
  const describeAll = () => describe(app, about, [context.config.publicUrl ?? '/'])
  app.use(reference(context, packageJson.version, describeAll))
  for (const feature of features) app.use(feature(context))
  app.use(mountCarriers(carrierHost(context)))
  assertUnique(app.routes)
  return app
}

/** Elysia takes the same route twice in silence, and answers with either. */
function assertUnique(routes: readonly { method: string; path: string }[]) {
  const seen = new Set<string>()
  for (const { method, path } of routes) {
    const name = `${method} ${path.replace(/:\w+/g, ':')}`
    if (seen.has(name)) throw new Error(`The route ${method} ${path} is mounted twice.`)
    seen.add(name)
  }
}
