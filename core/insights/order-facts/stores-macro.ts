import type { Context } from '../../context.ts'
import { authContextOf, callerOf } from '../../http/auth/auth-context.ts'
import { permissionOf, scopeOf } from '../../http/auth/scopes.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { accessDetail, type RequiredAccess } from '../../shop/stores/authority.ts'

/**
 * Macro for requests about several stores: resolves `stores` from the ids in the body, in order. Throws `not_found` for a store without
 * access.
 */
export const storesMacro =
  (context: Context) =>
  ([role, needs]: RequiredAccess) => ({
    access: scopeOf(needs),
    resolve: async (asked: object) => {
      const { storeIds } = authContextOf(asked).body as { readonly storeIds: readonly string[] }
      return { stores: await Promise.all(storeIds.map((id) => accessStore(context, callerOf(asked), id, [role, permissionOf(needs)]))) }
    },
    detail: accessDetail(role, needs),
  })
