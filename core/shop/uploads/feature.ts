import { feature } from '../../feature.ts'
import { deleteAllFilesOf } from '../../platform/files/files.ts'
import { uploads } from './uploads.routes.ts'

/** Files that users upload for their stores or for themselves. */
export default feature('uploads', {
  routes: [uploads],
  subscribers: {
    'store.leaving': (tx, { store }) => deleteAllFilesOf(tx, { storeId: store.id, userId: null }),
    'person.leaving': (tx, { userId }) => deleteAllFilesOf(tx, { storeId: null, userId }),
  },
})
