import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, Timestamp } from '../../http/schema.ts'

/** Schema of a file, as the API shows it. */
export const StoredFile = named(
  'StoredFile',
  T.Object({
    id: Id,
    storeId: Nullable(T.String({ description: 'the store that owns it; null for a file of a user' })),
    name: T.String(),
    contentType: T.String({ description: 'detected from its bytes; pictures are re-encoded, AVIF as WebP' }),
    bytes: T.Integer({ description: 'size as stored' }),
    width: Nullable(T.Integer({ description: 'pixels, of a picture' })),
    height: Nullable(T.Integer()),
    url: T.String({ description: 'public address of the file; pictures accept ?w= there' }),
    createdAt: Timestamp,
  }),
)
/** Type of {@link StoredFile}. */
export type StoredFile = Static<typeof StoredFile>

/** Owner of a file: a store or a user. */
export type FileOwner = { readonly storeId: string; readonly userId: null } | { readonly storeId: null; readonly userId: string }
