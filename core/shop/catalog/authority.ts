import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { authContextOf, pathIdOf } from '../../http/auth/auth-context.ts'
import type { Role, Scope } from '../../http/auth/scopes.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessStorefront } from '../stores/access.ts'
import { findProduct } from './products.queries.ts'

/**
 * Creates the macro for a route that names a product by its path parameter `id` and is open to anybody. It adds `product`, `store` and the
 * caller's `audience`. Throws `not_found` for a product that does not exist, or that is not `active` where the caller is public.
 */
export const visibleProductMacro = (context: Pick<Context, 'sql'>) => (needed: readonly [role: Role, scope: Scope]) => ({
  open: true as const,
  resolve: async (routeContext: object) => {
    const product = await findProduct(context.sql, pathIdOf(routeContext))
    if (!product) throw notFound('The product')
    const { store, audience } = await accessStorefront(
      context,
      authContextOf(routeContext).caller ?? null,
      storeIdOf(product.projectId),
      needed,
    )
    if (audience === 'public' && product.status !== 'active') throw notFound('The product')
    return { product, store, audience }
  },
  detail: { 'x-role': 'anybody', 'x-scope': needed[1] } as OperationAccess,
})
