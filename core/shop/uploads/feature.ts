import { feature } from '../../feature.ts'
import { removeFilesOf } from '../../platform/files/files.ts'
import { uploads } from './uploads.routes.ts'

/** Files that users upload for their stores or for themselves. */
export default feature('uploads', {
  routes: [uploads],
  subscribers: {
    'store.leaving': (tx, { store }) => removeFilesOf(tx, { storeId: store.id, userId: null }),
    'person.leaving': (tx, { userId }) => removeFilesOf(tx, { storeId: null, userId }),
  },
})
