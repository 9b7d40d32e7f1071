import { feature } from '../../feature.ts'
import { mediaActions, suggestionActions } from './ai/ai.routes.ts'
import { deleteFeedsOfProject } from './catalog/catalog.queries.ts'
import { catalogs } from './catalog/catalog.routes.ts'
import { components } from './components/components.routes.ts'
import { fieldFiles } from './field-files.routes.ts'
import { deleteHostsOfProject } from './proxy/proxy.queries.ts'
import { proxy } from './proxy/proxy.routes.ts'
import { search } from './search/search.routes.ts'

/** Actions that belong to no single resource: search, catalogues, proxy, uploads, components, and work of AI models. */
export default feature('actions', {
  routes: [search, catalogs, proxy, fieldFiles, components, suggestionActions, mediaActions],
  subscribers: {
    async 'store.deleted'(tx, { store }) {
      await deleteFeedsOfProject(tx, store.projectId)
      await deleteHostsOfProject(tx, store.projectId)
    },
  },
})
