import type { Media } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { ApiError, invalid, notFound } from '../../../http/errors/errors.ts'
import { answeredBefore, type Creation, createOnce } from '../../../http/idempotency.ts'
import { digest, type Examined, examine } from '../../../platform/files/examine.ts'
import type { StoredFile } from '../../../platform/files/files.model.ts'
import { addFile, assertRoom, fileOf, newFileId, presentFile } from '../../../platform/files/files.ts'
import { keyOf } from '../../../platform/files/keeping.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { asUpload } from '../../../shop/uploads/keep.ts'
import { draw, editPicture, speak } from '../../models/ask.ts'
import { countPictures } from '../../models/pictures.ts'
import type { ImageWish, LogoWish, VoiceWish } from './ai.model.ts'
import { withModel } from './ai.ts'

const PICTURE_MAX = 10 * 1024 * 1024
const SOUND = /^audio\/(mpeg|wav|ogg|opus)$/
/** How each of these begins. */
const SOUNDS: readonly (readonly [type: string, begins: RegExp])[] = [
  ['audio/mpeg', /^(ID3|\xff[\xe0-\xff])/],
  ['audio/wav', /^RIFF[\s\S]{4}WAVE/],
  ['audio/ogg', /^OggS/],
]

type Made = { data: StoredFile }

/** A picture that is drawn, or one of the store's that is changed. */
export async function makeImage(context: Context, store: Store, creation: Creation, wish: ImageWish): Promise<Made> {
  const { prompt, size = 'square', fileId, model } = wish
  return made(context, store, creation, 'picture', async () => {
    const images = fileId === undefined ? [] : [await pictureOf(context, store, fileId)]
    return withModel(context, store, { model, gives: 'image' }, async ({ owner, usable }) => {
      await countPictures(context, store.id, usable, 1)
      const drawing = { prompt, size, count: 1 }
      const { signal } = creation.request
      const drawn =
        images.length > 0
          ? await editPicture(context, owner, usable, { ...drawing, images }, { signal })
          : await draw(context, owner, usable, drawing, { signal })
      return drawn.images[0]
    })
  })
}

export async function makeLogo(context: Context, store: Store, creation: Creation, wish: LogoWish): Promise<Made> {
  const { name = store.name, description, transparent = true, model } = wish
  const prompt = `A logo for a shop called ${JSON.stringify(name)}: simple, flat, readable when small, no other words. ${description}`
  return made(context, store, creation, 'logo', () =>
    withModel(context, store, { model, gives: 'image' }, async ({ owner, usable }) => {
      await countPictures(context, store.id, usable, 1)
      const drawing = { prompt, size: 'square' as const, count: 1, transparent }
      return (await draw(context, owner, usable, drawing, { signal: creation.request.signal })).images[0]
    }),
  )
}

export async function makeVoice(context: Context, store: Store, creation: Creation, wish: VoiceWish): Promise<Made> {
  const { text, voice, manner, speed, model } = wish
  return made(context, store, creation, 'voice', () =>
    withModel(context, store, { model, gives: 'speech' }, async ({ owner, usable }) => {
      const { voices = [] } = usable.model
      const chosen = voice ?? voices[0]
      if (chosen === undefined) throw invalid('/body/voice', 'Say which voice: this model does not tell which it has.')
      if (voices.length > 0 && !voices.includes(chosen)) throw invalid('/body/voice', `This model has ${voices.join(', ')}.`)
      const manners = { ...(manner !== undefined && { manner }), ...(speed !== undefined && { speed }) }
      const speaking = { text, voice: chosen, format: 'mp3' as const, ...manners }
      return (await speak(context, owner, usable, speaking, { signal: creation.request.signal })).sound
    }),
  )
}

async function pictureOf(context: Context, store: Store, id: string): Promise<Media> {
  const file = await fileOf(context, id)
  if (file?.storeId !== store.id) throw notFound('The file')
  if (!file.contentType.startsWith('image/')) throw invalid('/body/fileId', 'This file is no picture.')
  if (file.bytes > PICTURE_MAX) throw invalid('/body/fileId', `A picture that is to be changed may have ${PICTURE_MAX} bytes.`)
  const bytes = await context.files.keeping.read(file.key)
  if (!bytes) throw notFound('The file')
  return { mediaType: file.contentType, data: Buffer.from(bytes).toString('base64') }
}

/** Keeps what a model made, as a file of the store: as its bytes are, not as the model says. */
async function made(
  context: Context,
  store: Store,
  creation: Creation,
  what: string,
  make: () => Promise<Media | undefined>,
): Promise<Made> {
  // Nobody pays for it a second time.
  const before = await answeredBefore<Made>(context, creation)
  if (before) return before
  const owner = { storeId: store.id, userId: null }
  return asUpload(store.id, async () => {
    await assertRoom(context, owner, 0)
    const media = await make()
    if (!media) throw new ApiError('adapter_refused', 'The model made nothing. Say it in other words.')
    const { bytes: kept, ...rest } = await examined(media, store.id)
    const id = newFileId()
    const key = keyOf(store.id, id)
    await context.files.keeping.put(key, kept, rest.contentType)
    const forget = () => context.files.forget(key).catch(() => {})
    let isAdded = false
    const answer = await createOnce(context, creation, async (tx) => {
      const row = await addFile(context, tx, owner, { id, key, name: `${what} ${id.slice(-6)}`, bytes: kept.length, ...rest })
      isAdded = true
      return { data: presentFile(context, row) }
    }).catch(async (error) => {
      // Whatever else fails may have been written all the same; the sweep finds out.
      if (error instanceof ApiError) await forget()
      throw error
    })
    if (!isAdded) await forget()
    return answer
  })
}

async function examined({ mediaType, data }: Media, ownerId: string): Promise<Examined> {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  if (!SOUND.test(mediaType)) return examine(bytes, 'made', ownerId)
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const contentType = SOUNDS.find(([, begins]) => begins.test(head))?.[0]
  if (!contentType) throw new ApiError('adapter_refused', 'What the model made is no sound that is known here.')
  return { bytes, contentType, width: null, height: null, hash: await digest(bytes) }
}
