import { type AnyElysia, Elysia } from 'elysia'
import packageJson from '../package.json' with { type: 'json' }
import { mountPlugins } from '../plugins/host/mount.ts'
import { consolePages } from './console/shell/pages.routes.ts'
import type { Context } from './context.ts'
import { features } from './features.ts'
import { rejectUnknownHosts } from './http/address/known-hosts.ts'
import { compressJson } from './http/compression.ts'
import { errorEnvelope } from './http/errors/envelope.ts'
import { healthRoutes } from './http/health.routes.ts'
import { buildOpenApi } from './http/openapi/openapi.ts'
import { referenceRoutes } from './http/openapi/reference.routes.ts'
import { refreshScript } from './http/pages/refresh-script.ts'
import { readYourWrites } from './http/read-your-writes.ts'
import { requestContext, requestLog } from './http/request-context.ts'
import { pluginHost } from './integrations/operations/plugin-host.ts'

const about = {
  title: 'Serai',
  version: '1',
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  description: [
    'Commerce and logistics for cash-on-delivery shops: orders become parcels at a carrier, and signed webhooks report what happens to them.',
    '**Who may call.** Each operation lists its role, scope, permission and product. `viewer`, `agent`, `admin` and `owner` are roles in the store of the request; each includes those before it. `signed in` is any user, `API key` needs a key of the project, `anybody` needs no credential.',
    '**Errors.** Each error has a `code` for programs, a `message` for people, and often `details` with a pointer to the value. The codes of 409 and 422 are listed at each operation.',
    'Amounts of money are numbers in the major unit of their currency. Prices of models by the token and costs of chat answers are strings: exact decimals with up to 18 places, more than a JSON number carries.',
  ].join('\n\n'),
}

/** Composes the whole application. Has no side effects: calling it again is how a plugin is added, changed or removed. */
export function buildApp(context: Context) {
  // Allows host names of one letter: the URL is parsed for the start of the path, which is not at a fixed offset.
  const app = new Elysia({ systemRouter: false, normalize: false, handler: { standardHostname: false } } as object)
    .use(requestContext(context.config.corsOrigins))
    .use(errorEnvelope(context.log, context.bodies))
    .use(requestLog(context.log))
    .use(rejectUnknownHosts(context, (host) => context.provenHosts.isProven(host)))
    .use(readYourWrites(context))
    .use(compressJson())
  const describeAll = async () => {
    const { wording } = await import('./reference/wording.ts')
    return buildOpenApi(app, about, [context.config.publicUrl ?? '/'], wording)
  }
  const parts: AnyElysia[] = [
    referenceRoutes(describeAll),
    healthRoutes(context, packageJson.version),
    refreshScript(),
    ...features.flatMap(({ routes = [] }) => routes.map((route) => route(context))),
    mountPlugins(pluginHost(context)),
    consolePages(context, () => app.routes),
  ]
  assertUniqueRoutes(parts)
  for (const part of parts) app.use(part)
  context.bodies.registerRoutes(app.routes)
  return app
}

/** Throws when two parts mount the same method and path. Elysia accepts duplicates silently and keeps the later one. */
export function assertUniqueRoutes(parts: readonly Pick<AnyElysia, 'config' | 'routes'>[]) {
  const seen = new Map<string, string>()
  for (const { config, routes } of parts)
    for (const { method, path } of routes) {
      const [name, feature] = [`${method} ${path.replace(/:\w+/g, ':')}`, config.name ?? 'a feature']
      const other = seen.get(name)
      if (other) throw new Error(`The route ${method} ${path} is mounted twice, by ${other} and by ${feature}.`)
      seen.set(name, feature)
    }
}
