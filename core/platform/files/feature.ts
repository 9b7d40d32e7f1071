import { join } from 'node:path'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { contentRoutes } from './content.routes.ts'
import type { ObjectStore } from './object-store.ts'
import { openResizedPictures, type ResizedPictures } from './resized-pictures.ts'
import { diskStore } from './storage/disk.ts'
import { s3Store } from './storage/s3.ts'
import { deleteUnusedBytes, deleteUnusedUnder, sweepUnusedBytes } from './sweep.ts'

/** File storage of the process. */
export interface FileStorage {
  readonly storage: ObjectStore
  readonly sizes: ResizedPictures
  /** Deletes the bytes of a file in all sizes. */
  deleteBytes(key: string): Promise<void>
}

declare module '../../context.ts' {
  interface Services {
    readonly files: FileStorage
  }
}

/** Stores and serves the bytes of files. Higher features know who owns them. */
export default feature('files', {
  async setup({ config: { dataDir, filesS3Url } }) {
    const keeping = filesS3Url ? s3Store(filesS3Url) : diskStore(join(dataDir, 'files'))
    const sizes = openResizedPictures(join(dataDir, 'file-sizes'))
    const forget = async (key: string) => {
      await keeping.remove(key)
      await sizes.deleteSizes(key.split('/').at(-1) ?? '')
    }
    return { services: { files: { storage: keeping, sizes, deleteBytes: forget } } }
  },
  routes: [contentRoutes],
  jobs: {
    'files.remove': { work: (context, { key }) => deleteUnusedBytes(context, key) },
    'files.removeAll': {
      async work(context, { prefix }, signal) {
        await deleteUnusedUnder(context, prefix, signal)
      },
    },
    'files.sweep': { schedule: '13 2 * * *', work: (context, _, signal) => sweepUnusedBytes(context, signal) },
  },
  personalData: [eraseBySearch({ table: 'files', owner: 'project', key: ['id'], columns: { name: 'text' }, created: 'created_at' })],
})
