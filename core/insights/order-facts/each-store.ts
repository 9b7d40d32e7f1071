import type { Context } from '../../context.ts'
import { callerOf, edgeOf } from '../../http/auth/auth.ts'
import type { Authority } from '../../http/openapi/openapi.ts'
import { accessStore } from '../../shop/stores/access.ts'
import type { Needs } from '../../shop/stores/authority.ts'

/** A macro for what is asked of several stores at once: gives the `stores` that the body names, in its order. One of somebody else's is 404. */
export const eachStore =
  (context: Context) =>
  ([role, scope]: Needs) => ({
    access: scope,
    resolve: async (asked: object) => {
      const { storeIds } = edgeOf(asked).body as { readonly storeIds: readonly string[] }
      return { stores: await Promise.all(storeIds.map((id) => accessStore(context, callerOf(asked), id, [role, scope]))) }
    },
    detail: { 'x-role': role } as Authority,
  })
