import type { Context } from '../../context.ts'
import { authContextOf, callerOf } from '../../http/auth/auth.ts'
import type { OperationAccess } from '../../http/openapi/openapi.ts'
import { accessStore } from '../../shop/stores/access.ts'
import type { RequiredAccess } from '../../shop/stores/authority.ts'

/** A macro for what is asked of several stores at once: gives the `stores` that the body names, in its order. One of somebody else's is 404. */
export const eachStore =
  (context: Context) =>
  ([role, scope]: RequiredAccess) => ({
    access: scope,
    resolve: async (asked: object) => {
      const { storeIds } = authContextOf(asked).body as { readonly storeIds: readonly string[] }
      return { stores: await Promise.all(storeIds.map((id) => accessStore(context, callerOf(asked), id, [role, scope]))) }
    },
    detail: { 'x-role': role } as OperationAccess,
  })
