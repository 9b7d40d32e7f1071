import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { callerOf, type Edge, edgeOf, idOf } from '../../http/auth/auth.ts'
import type { Principal } from '../../http/auth/principal.ts'
import type { Permission, Product, Right, Role, Scope } from '../../http/auth/scopes.ts'
import { askAgain } from '../../http/body/body.ts'
import { notFound } from '../../http/errors/errors.ts'
import type { Authority } from '../../http/openapi/openapi.ts'
import { accessProduct, accessStore, assertProduct, chosenStore, enterStore } from './access.ts'
import type { Store } from './stores.model.ts'

/**
 * The least role of people, the scope of keys, which is the permission of members who were given some, and a product that the store's project
 * must have, for people as for keys.
 */
export type Needs = readonly [role: Role, scope: Scope, product?: Product]

type Gate = Pick<Context, 'sql' | 'auth'>

/**
 * What a route is about is found before its handler runs, and given to it. A route names one of these, or one of the macros of `auth`:
 * - `store`: the store of the path, the body or the query, for members and keys; a key may leave it out.
 * - `member`: the same for people alone, by their role and what of it they were left. A role by itself: who was left all of it.
 * - `storefront`: the same for anybody, with how he stands to it; who is neither member nor key has `standing` 'public'.
 * What is found by its own id is a macro of its feature's, made by `ofStore`.
 */
export const authority = (context: Gate) =>
  new Elysia({ name: 'authority' })
    .use(context.auth)
    .macro('store', ([role, scope, product]: Needs) => ({
      access: scope,
      resolve: async (asked: object) => {
        const open = () => openStore(context, asked, [role, scope], product)
        const store = await open()
        // Some read a form of their own after this.
        askAgain(edgeOf(asked).request, open)
        return { store }
      },
      detail: declared(role, product),
    }))
    .macro('member', (needed: Role | readonly [role: Role, permission: Permission]) => {
      const right: Right = typeof needed === 'string' ? [needed] : needed
      return {
        user: true as const,
        resolve: async (asked: object) => ({ store: await openStore(context, asked, right) }),
        detail: { ...declared(right[0]), ...(right[1] && { 'x-permission': right[1] }) } as Authority,
      }
    })
    .macro('storefront', (needed: readonly [role: Role, scope: Scope]) => ({
      open: true as const,
      resolve: async (asked: object) => {
        const edge = edgeOf(asked)
        return enterStore(context, edge.caller ?? null, storeNamed(edge), needed)
      },
      detail: { 'x-role': 'anybody', 'x-scope': needed[1] } as Authority,
    }))

/** A macro for what a store has and the path names by its own `id`: gives the row under `name`, and its `store`. Somebody else's is 404. */
export function ofStore<const N extends string, Row extends { readonly storeId: string }>(
  context: Gate,
  name: N,
  find: (id: string) => Promise<Row | undefined>,
) {
  return ([role, scope, product]: Needs) => ({
    access: scope,
    resolve: async (asked: object) => {
      const row = await find(idOf(asked))
      if (!row) throw notFound(`The ${name}`)
      const store = await enter(context, callerOf(asked), row.storeId, [role, scope], product)
      return { [name]: row, store } as Record<N, Row> & { store: Store }
    },
    detail: declared(role, product),
  })
}

const declared = (role: Role, product?: Product): Authority => ({ 'x-role': role, ...(product && { 'x-product': product }) })

/** What the body says counts before a query that no schema knows. */
function storeNamed({ params, body, query }: Edge): string | undefined {
  const { storeId } = (body ?? {}) as { storeId?: unknown }
  const named = params?.storeId ?? storeId ?? query?.storeId
  return named === undefined ? undefined : String(named)
}

async function openStore(context: Gate, asked: object, needed: Right, product?: Product): Promise<Store> {
  const [caller, storeId] = [callerOf(asked), storeNamed(edgeOf(asked))]
  if (storeId !== undefined) return enter(context, caller, storeId, needed, product)
  const store = await chosenStore(context, caller, storeId, needed)
  if (product) await assertProduct(context, store.id, product, caller)
  return store
}

const enter = (context: Gate, caller: Principal, storeId: string, needed: Right, product: Product | undefined) =>
  product ? accessProduct(context, caller, storeId, needed, product) : accessStore(context, caller, storeId, needed)
