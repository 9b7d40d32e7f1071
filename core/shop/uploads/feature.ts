import { feature } from '../../feature.ts'
import { deleteAllFilesOf } from '../../platform/files/files.ts'
import { uploads } from './uploads.routes.ts'

/** Files that users upload for their stores or for themselves. */
export default feature('uploads', {
  routes: [uploads],
  subscribers: {
    'store.deleted': (tx, { store }) => deleteAllFilesOf(tx, { storeId: store.id, userId: null }),
    'user.deleted': (tx, { userId }) => deleteAllFilesOf(tx, { storeId: null, userId }),
  },
})
