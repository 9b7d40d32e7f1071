import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { storeIdOf as storeIdOfProject } from '../../data/project-ids.ts'
import { type AuthContext, authContextOf, callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { type Needs, type Permission, type Product, permissionOf, type Role, type StoreRight, scopeOf } from '../../http/auth/scopes.ts'
import { registerRecheck } from '../../http/body/body.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessProduct, accessStore, accessStorefront, assertProductEnabled, resolveStore, type StorefrontAccess } from './access.ts'
import type { Store } from './stores.model.ts'

/** Access that a route requires: the least role of a user, the scope and permission, and optionally a product of the store's project. */
export type RequiredAccess = readonly [role: Role, needs: Needs, product?: Product]

type Dependencies = Pick<Context, 'sql' | 'auth'>

/**
 * Macros that find the store of a route before its handler runs and check the caller's access.
 * A route names one of these, or one of the macros of `auth`.
 * - `store`: the store of the path, the body or the query, for members and API keys. A key may leave it out.
 * - `member`: the store, for users only, by role and permission. A role without a permission admits only members with all permissions of
 *   the role.
 * - `storefront`: the store, for anybody, with the caller's `audience`. It is `public` for callers who are neither members nor keys.
 * An entity found by its own id needs a macro of its feature, created by `storeItemMacro`.
 */
export const authority = (context: Dependencies) =>
  new Elysia({ name: 'authority' })
    .use(context.auth)
    .macro('store', ([role, needs, product]: RequiredAccess) => ({
      access: scopeOf(needs),
      resolve: async (routeContext: object) => {
        const open = () => accessNamedStore(context, routeContext, [role, permissionOf(needs)], product)
        const store = await open()
        // Checks the access again after a slow upload, for routes that read a form themselves.
        registerRecheck(authContextOf(routeContext).request, open)
        return { store }
      },
      detail: accessDetail(role, needs, product),
    }))
    .macro('member', (needed: Role | readonly [role: Role, permission: Permission]) => {
      const right: StoreRight = typeof needed === 'string' ? [needed] : needed
      return {
        user: true as const,
        resolve: async (routeContext: object) => ({ store: await accessNamedStore(context, routeContext, right) }),
        detail: { 'x-role': right[0], ...(right[1] && { 'x-permission': right[1] }) } as OperationAccess,
      }
    })
    .macro('storefront', (needed: StorefrontAccess) => ({
      open: true as const,
      resolve: async (routeContext: object) => {
        const edge = authContextOf(routeContext)
        return accessStorefront(context, edge.caller ?? null, storeIdOf(edge), needed)
      },
      detail: { 'x-role': 'anybody', 'x-scope': needed[1] } as OperationAccess,
    }))

/**
 * Creates the macro for a route that names an entity of a store by its path parameter `id`. It adds the row under `name`, and its `store`.
 * Throws `not_found` for an entity of a foreign store.
 */
export function storeItemMacro<const N extends string, Row extends { readonly storeId: string } | { readonly projectId: string }>(
  context: Dependencies,
  name: N,
  find: (id: string) => Promise<Row | undefined>,
) {
  return ([role, needs, product]: RequiredAccess) => ({
    access: scopeOf(needs),
    resolve: async (routeContext: object) => {
      const row = await find(pathIdOf(routeContext))
      if (!row) throw notFound(`The ${name}`)
      const storeId = 'storeId' in row ? row.storeId : storeIdOfProject(row.projectId)
      const store = await accessStoreById(context, callerOf(routeContext), storeId, [role, permissionOf(needs)], product)
      return { [name]: row, store } as Record<N, Row> & { store: Store }
    },
    detail: accessDetail(role, needs, product),
  })
}

/** Describes the access that a route requires. Where the permission is the scope, the description adds it. */
export const accessDetail = (role: Role, needs: Needs, product?: Product): OperationAccess => ({
  'x-role': role,
  ...(typeof needs === 'object' && { 'x-permission': needs.permission }),
  ...(product && { 'x-product': product }),
})

/** Returns the store id of the path, else of the body, else of the query, which a route may not validate. */
function storeIdOf({ params, body, query }: AuthContext): string | undefined {
  const { storeId } = (body ?? {}) as { storeId?: unknown }
  const named = params?.storeId ?? storeId ?? query?.storeId
  return named === undefined ? undefined : String(named)
}

async function accessNamedStore(context: Dependencies, routeContext: object, needed: StoreRight, product?: Product): Promise<Store> {
  const edge = authContextOf(routeContext)
  const [caller, storeId] = [callerOf(routeContext), storeIdOf(edge)]
  if (storeId !== undefined) return accessStoreById(context, caller, storeId, needed, product)
  const store = await resolveStore(context, caller, storeId, needed)
  if (product) await assertProductEnabled(context, store.id, product, caller)
  return store
}

const accessStoreById = (context: Dependencies, caller: Principal, storeId: string, needed: StoreRight, product: Product | undefined) =>
  product ? accessProduct(context, caller, storeId, needed, product) : accessStore(context, caller, storeId, needed)
