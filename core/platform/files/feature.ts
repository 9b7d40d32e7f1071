import { join } from 'node:path'
import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { content } from './content.routes.ts'
import { filesOfStore } from './files.queries.ts'
import type { Keeping } from './keeping.ts'
import { openSizes, type Sizes } from './sizes.ts'
import { keptOnDisk } from './storage/disk.ts'
import { keptInS3 } from './storage/s3.ts'
import { removeAll, removeBytes, sweep } from './sweep.ts'

/** File storage of the process. */
export interface Files {
  readonly keeping: Keeping
  readonly sizes: Sizes
  /** Deletes the bytes of a file in all sizes. */
  forget(key: string): Promise<void>
}

declare module '../../context.ts' {
  interface Services {
    readonly files: Files
  }
}

/** Stores and serves the bytes of files. Higher features know who owns them. */
export default feature('files', {
  async setup({ config: { dataDir, filesS3Url } }) {
    const keeping = filesS3Url ? keptInS3(filesS3Url) : keptOnDisk(join(dataDir, 'files'))
    const sizes = openSizes(join(dataDir, 'file-sizes'))
    const forget = async (key: string) => {
      await keeping.remove(key)
      await sizes.forget(key.split('/').at(-1) ?? '')
    }
    return { services: { files: { keeping, sizes, forget } } }
  },
  routes: [content],
  jobs: {
    'files.remove': { work: (context, { key }) => removeBytes(context, key) },
    'files.removeAll': {
      async work(context, { prefix }, signal) {
        await removeAll(context, prefix, signal)
      },
    },
    'files.sweep': { at: '13 2 * * *', work: (context, _, signal) => sweep(context, signal) },
  },
  personalData: [searched({ table: 'files', owner: filesOfStore, key: ['id'], columns: { name: 'text' }, created: 'created_at' })],
})
