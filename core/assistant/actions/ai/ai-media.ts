import type { Media } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { type CreationRequest, createOnce, findPreviousResponse } from '../../../http/idempotency.ts'
import { DomainError, notFound } from '../../../lib/errors/domain-error.ts'
import type { StoredFile } from '../../../platform/files/files.model.ts'
import { addFile, assertRoom, getFileOf, newFileId, presentFile } from '../../../platform/files/files.ts'
import { keyOf } from '../../../platform/files/object-store.ts'
import { computeSha256, type ValidatedFile, validateFile } from '../../../platform/files/validate-file.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { limitUploads } from '../../../shop/uploads/store-upload.ts'
import { consumeImageQuota } from '../../models/image-quota.ts'
import { editImages, generateImages, generateSpeech } from '../../models/model-calls.ts'
import { actionErrors } from '../actions.errors.ts'
import type { ImageRequest, LogoRequest, VoiceoverRequest } from './ai.model.ts'
import { withModel } from './ai.ts'

/** Bytes of an image that a model may edit. */
const PICTURE_MAX = 10 * 1024 * 1024
const SOUND = /^audio\/(mpeg|wav|ogg|opus)$/
/** First bytes of each type of sound. */
const SOUNDS: readonly (readonly [type: string, begins: RegExp])[] = [
  ['audio/mpeg', /^(ID3|\xff[\xe0-\xff])/],
  ['audio/wav', /^RIFF[\s\S]{4}WAVE/],
  ['audio/ogg', /^OggS/],
]

type CreatedFile = { data: StoredFile }

/** Generates an image, or edits one of the store, and stores it as a file. */
export async function createImage(context: Context, store: Store, creation: CreationRequest, input: ImageRequest): Promise<CreatedFile> {
  const { prompt, size = 'square', fileId, model } = input
  return createFile(context, store, creation, 'picture', async () => {
    const images = fileId === undefined ? [] : [await pictureOf(context, store, fileId)]
    return withModel(context, store, { model, gives: 'image' }, async ({ owner, usable }) => {
      await consumeImageQuota(context, store.id, usable, 1)
      const drawing = { prompt, size, count: 1 }
      const { signal } = creation.request
      const drawn =
        images.length > 0
          ? await editImages(context, owner, usable, { ...drawing, images }, { signal })
          : await generateImages(context, owner, usable, drawing, { signal })
      return drawn.images[0]
    })
  })
}

/** Generates a logo and stores it as a file of the store. */
export async function createLogo(context: Context, store: Store, creation: CreationRequest, input: LogoRequest): Promise<CreatedFile> {
  const { name = store.name, description, transparent = true, model } = input
  const prompt = `A logo for a shop called ${JSON.stringify(name)}: simple, flat, readable when small, no other words. ${description}`
  return createFile(context, store, creation, 'logo', () =>
    withModel(context, store, { model, gives: 'image' }, async ({ owner, usable }) => {
      await consumeImageQuota(context, store.id, usable, 1)
      const drawing = { prompt, size: 'square' as const, count: 1, transparent }
      return (await generateImages(context, owner, usable, drawing, { signal: creation.request.signal })).images[0]
    }),
  )
}

/** Turns a text into speech and stores it as a file of the store. Throws `invalid_request` for an unknown voice. */
export async function createVoiceover(
  context: Context,
  store: Store,
  creation: CreationRequest,
  input: VoiceoverRequest,
): Promise<CreatedFile> {
  const { text, voice, manner, speed, model } = input
  return createFile(context, store, creation, 'voice', () =>
    withModel(context, store, { model, gives: 'speech' }, async ({ owner, usable }) => {
      const { voices = [] } = usable.model
      const chosen = voice ?? voices[0]
      if (chosen === undefined) throw actionErrors.voiceMissing({ field: ['voice'] })
      if (voices.length > 0 && !voices.includes(chosen))
        throw actionErrors.voiceUnknown({ voices: voices.join(', ') }, { field: ['voice'] })
      const manners = { ...(manner !== undefined && { manner }), ...(speed !== undefined && { speed }) }
      const speaking = { text, voice: chosen, format: 'mp3' as const, ...manners }
      return (await generateSpeech(context, owner, usable, speaking, { signal: creation.request.signal })).sound
    }),
  )
}

async function pictureOf(context: Context, store: Store, id: string): Promise<Media> {
  const file = await getFileOf(context, { storeId: store.id, userId: null }, id)
  if (!file) throw notFound('The file')
  if (!file.contentType.startsWith('image/')) throw actionErrors.notAPicture({ field: ['fileId'] })
  if (file.bytes > PICTURE_MAX) throw actionErrors.pictureTooLarge({ pictureMax: PICTURE_MAX }, { field: ['fileId'] })
  const bytes = await context.files.storage.read(file.key)
  if (!bytes) throw notFound('The file')
  return { mediaType: file.contentType, data: Buffer.from(bytes).toString('base64') }
}

/** Stores the media of a model as a file of the store, once for each idempotency key. The bytes decide its type. */
async function createFile(
  context: Context,
  store: Store,
  creation: CreationRequest,
  baseName: string,
  make: () => Promise<Media | undefined>,
): Promise<CreatedFile> {
  // Looks up a repeated request first, so that the model is not paid twice.
  const before = await findPreviousResponse<CreatedFile>(context, creation)
  if (before) return before
  const owner = { storeId: store.id, userId: null }
  return limitUploads(store.id, async () => {
    await assertRoom(context, owner, 0)
    const media = await make()
    if (!media) throw actionErrors.nothingReturned()
    const { bytes: stored, ...rest } = await examineMedia(media, store.id)
    const id = newFileId()
    const key = keyOf(store.id, id)
    await context.files.storage.put(key, stored, rest.contentType)
    const deleteBytes = () => context.files.deleteBytes(key).catch(() => {})
    let isAdded = false
    const answer = await createOnce(context, creation, async (tx) => {
      const row = await addFile(context, tx, owner, { id, key, name: `${baseName} ${id.slice(-6)}`, bytes: stored.length, ...rest })
      isAdded = true
      return { data: presentFile(context, row) }
    }).catch(async (error) => {
      // After any other error the row may exist, so that the bytes stay for the sweep.
      if (error instanceof DomainError) await deleteBytes()
      throw error
    })
    if (!isAdded) await deleteBytes()
    return answer
  })
}

async function examineMedia({ mediaType, data }: Media, ownerId: string): Promise<ValidatedFile> {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  if (!SOUND.test(mediaType)) return validateFile(bytes, 'made', ownerId)
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const contentType = SOUNDS.find(([, begins]) => begins.test(head))?.[0]
  if (!contentType) throw actionErrors.soundUnreadable()
  return { bytes, contentType, width: null, height: null, hash: await computeSha256(bytes) }
}
