import { feature } from '../../feature.ts'
import { makings, suggestions } from './ai.routes.ts'
import { deleteFeedsOf } from './catalog.queries.ts'
import { catalogs } from './catalog.routes.ts'
import { components } from './components.routes.ts'
import { fieldFiles } from './field-files.routes.ts'
import { deleteHostsOf } from './proxy.queries.ts'
import { proxy } from './proxy.routes.ts'
import { search } from './search.routes.ts'

/** What belongs to no one thing, and is asked for by what it does. */
export default feature('actions', {
  routes: [search, catalogs, proxy, fieldFiles, components, suggestions, makings],
  follows: {
    async 'store.leaving'(tx, { store }) {
      await deleteFeedsOf(tx, store.id)
      await deleteHostsOf(tx, store.id)
    },
  },
})
