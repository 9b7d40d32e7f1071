import { type AccessRequirement, isStoreOperation } from '../../../plugins/host/endpoints.ts'
import type { KindHost, PluginHost, RequestedOperation } from '../../../plugins/host/mount.ts'
import type { AnyMountedAdapter } from '../../../plugins/host/registry.ts'
import { type KindName, kinds } from '../../../plugins/kinds.ts'
import type { Context } from '../../context.ts'
import { callerOf } from '../../http/auth/auth-context.ts'
import { assertCanUse, type Principal } from '../../http/auth/principal.ts'
import type { Needs } from '../../http/auth/scopes.ts'
import { createOnceExternally } from '../../http/idempotency.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessProduct, accessStore } from '../../shop/stores/access.ts'
import { toDomainError } from '../connections/calls/adapter-failures.ts'
import { findAdapterForStore } from '../connections/choose-connection.ts'
import { type Connection, notEnabledError, openConnection } from '../connections/connection.ts'
import { connectionErrors, notEnabledSentences } from '../connections/connections.errors.ts'
import { findConnectionByKey } from '../connections/connections.queries.ts'
import { readInboundRequest, toResponse } from '../webhook-intake/inbound-request.ts'
import { receiveAtStore } from '../webhook-intake/receive-webhook.ts'

const CREATED = 201

/** Creates the core's side of the plugin host: access rules, and the handlers behind the operations of each kind. */
export function pluginHost(context: Context): PluginHost {
  return {
    auth: context.authority,
    kinds: Object.fromEntries(kinds.map(({ name }) => [name, createKindHost(context, name)])),
    adapters: () => context.plugins.all().map(({ adapter }) => adapter),
    find(slug, kind) {
      const mounted = kind === undefined ? findAdapterForStore(context, slug) : findByKind(context, slug, kind)
      if (!mounted) throw notFound(`An adapter "${slug}"`)
      return mounted
    },
    refuse(adapter) {
      throw connectionErrors.operationNotOffered({ label: adapter.label })
    },
    gate(needed, { isPublic, isOfStore }) {
      const [only, ...others] = needed
      if (isPublic || !only) return { open: true }
      if (others.length === 0) return isOfStore ? { store: [only.role, needsOf(only), only.product] } : { access: only.scope }
      return others.every(({ scope }) => scope === only.scope) ? { access: only.scope } : { open: true }
    },
    admit(caller, needed) {
      const known = callerOf({ caller })
      if (needed) assertCanUse(known, needed.scope)
    },
    async enter(caller, { role, scope, permission = scope, product }, storeId) {
      const known = callerOf({ caller })
      const right = [role, permission] as const
      await (product ? accessProduct(context, known, storeId, right, product) : accessStore(context, known, storeId, right))
    },
    readInbound: (request) => readInboundRequest(context, request),
  }
}

const needsOf = ({ scope, permission }: AccessRequirement): Needs => (permission ? { scope, permission } : scope)

/** Finds an adapter of the kind. Falls back to `<slug>-<kind>` if another kind has the slug: `sandbox` finds `sandbox-payment`. */
function findByKind({ plugins }: Context, slug: string, kind: string): AnyMountedAdapter | undefined {
  const named = plugins.named(slug)
  return named?.kind.name === kind ? named : (plugins.named(`${slug}-${kind}`) ?? named)
}

/** Creates the host of one kind. It opens the store's connection for each operation, and converts failures to API errors of the kind. */
function createKindHost(context: Context, kind: KindName): KindHost {
  const { operationRegistry: registry } = context
  return {
    async perform(asked) {
      const { handler, worksWhenDisabled } = registry.operation(kind, asked.name)
      const call = isStoreOperation(asked.operation)
        ? { ...asked, connection: await connectionOf(context, kind, asked, { worksWhenDisabled }) }
        : asked
      const work = () => handler(context, call).catch((error) => Promise.reject(toDomainError(error)))
      if (asked.operation.status !== CREATED) return work()
      const creation = { ...asked, caller: (asked.caller ?? null) as Principal | null }
      return (await createOnceExternally(context, creation, async () => ({ data: await work() }))).data
    },
    ...(registry.webhookHandlers(kind) && {
      receive: async ({ slug }, storeId, request) => toResponse(await receiveAtStore(context, kind, slug, storeId, request)),
    }),
  }
}

async function connectionOf(
  context: Context,
  kind: KindName,
  { params, adapter }: RequestedOperation,
  { worksWhenDisabled }: { readonly worksWhenDisabled: boolean },
): Promise<Connection> {
  const [storeId, key] = [String(params.storeId), adapter.slug]
  const row = await findConnectionByKey(context.sql, storeId, key)
  const path = `/v1/stores/${storeId}/integrations/${key}`
  if (!row) throw notEnabledError(kind, notEnabledSentences.notConnected(key, path))
  if (!row.enabled && !worksWhenDisabled) throw notEnabledError(kind, notEnabledSentences.switchedOff(key, path))
  return openConnection(context, kind, row)
}
