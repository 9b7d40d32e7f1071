import { feature } from '../../feature.ts'
import { makings, suggestions } from './ai/ai.routes.ts'
import { deleteFeedsOf } from './catalog/catalog.queries.ts'
import { catalogs } from './catalog/catalog.routes.ts'
import { components } from './components/components.routes.ts'
import { fieldFiles } from './field-files.routes.ts'
import { deleteHostsOf } from './proxy/proxy.queries.ts'
import { proxy } from './proxy/proxy.routes.ts'
import { search } from './search/search.routes.ts'

/** What belongs to no one thing, and is asked for by what it does. */
export default feature('actions', {
  routes: [search, catalogs, proxy, fieldFiles, components, suggestions, makings],
  subscribers: {
    async 'store.leaving'(tx, { store }) {
      await deleteFeedsOf(tx, store.id)
      await deleteHostsOf(tx, store.id)
    },
  },
})
