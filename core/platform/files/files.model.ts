import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, Timestamp } from '../../http/schema.ts'

export const StoredFile = named(
  'StoredFile',
  T.Object({
    id: Id,
    storeId: Nullable(T.String({ description: 'whose it is; null for a file of a person' })),
    name: T.String(),
    contentType: T.String({ description: 'as its bytes are; pictures are drawn anew, AVIF as WebP' }),
    bytes: T.Integer({ description: 'as it is kept' }),
    width: Nullable(T.Integer({ description: 'pixels, of a picture' })),
    height: Nullable(T.Integer()),
    url: T.String({ description: 'where anybody who knows it reads the file; pictures take ?w= there' }),
    createdAt: Timestamp,
  }),
)
export type StoredFile = Static<typeof StoredFile>

/** Whose a file is. */
export type FileOwner = { readonly storeId: string; readonly userId: null } | { readonly storeId: null; readonly userId: string }
