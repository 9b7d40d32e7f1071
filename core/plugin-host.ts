import type { KindHost, PluginHost } from '../plugins/host/mount.ts'
import type { KindName } from '../plugins/kinds.ts'
import { carrierHost } from './carrier-host.ts'
import { limits } from './config.ts'
import type { Context } from './context.ts'
import { callerOf } from './http/auth.ts'
import { readBytes } from './http/body.ts'
import { ApiError, notFound } from './http/errors.ts'
import { assertCan } from './http/principal.ts'

/** The core's side of the sockets: what stands behind the operations of each kind of plugin. */
export function pluginHost(context: Context): PluginHost {
  return {
    auth: context.auth,
    kinds: { carrier: carrierHost(context) } satisfies Record<KindName, KindHost>,
    adapters: () => context.plugins.all().map(({ adapter }) => adapter),
    find(slug) {
      const mounted = context.plugins.named(slug)
      if (!mounted) throw notFound(`An adapter "${slug}"`)
      return mounted
    },
    refuse(adapter) {
      throw new ApiError('not_found', `${adapter.label} does not offer this. GET /v1/adapters says what it does.`)
    },
    gate(needed) {
      const [scope, ...others] = new Set(needed.map((one) => one.scope))
      return others.length === 0 ? { access: scope } : { open: true }
    },
    admit(caller, needed) {
      const known = callerOf({ caller })
      if (needed) assertCan(known, needed.scope)
    },
    readBytes: (request) => readBytes(request, limits.bodyBytes),
  }
}
