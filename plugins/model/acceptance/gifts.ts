import { assertEqual, assertFits, check, requireMember } from '../../acceptance/checks.ts'
import { Drawn, Spoken } from '../model.ts'
import { type Draft, userMessage } from './bench.ts'

const HEADS: Readonly<Record<string, string>> = { 'image/png': 'iVBORw0KGgo', 'image/jpeg': '/9j/', 'image/webp': 'UklGR' }
const PROMPT = 'A cup of mint tea'

const isPicture = ({ mediaType, data }: { mediaType: string; data: string }) =>
  check(HEADS[mediaType] !== undefined && data.startsWith(HEADS[mediaType] ?? ' '), `it is ${mediaType}`)

/** Cases about images, speech, look-ups and token counts. */
export const mediaCases = (): Draft[] => [
  {
    name: 'as many images are generated as requested',
    skip: ({ adapter }) => !adapter.image && 'it generates no images',
    async run({ adapter, rig, open }) {
      const drawing = { model: requireMember(rig.models.image, 'models.image'), prompt: PROMPT, size: 'square' as const, count: 2 }
      const drawn = await adapter.image?.(open().context, drawing)
      assertFits(Drawn, drawn, 'pictures')
      assertEqual(drawn?.images.length, 2, 'pictures')
      for (const image of drawn?.images ?? []) isPicture(image)
    },
  },
  {
    name: 'an image is edited',
    skip: ({ adapter }) => !adapter.editImage && 'it edits no images',
    async run({ adapter, rig, open }) {
      const { context } = open()
      const drawing = { model: requireMember(rig.models.image, 'models.image'), prompt: PROMPT, size: 'square' as const, count: 1 }
      const first = await adapter.image?.(context, drawing)
      const changed = await adapter.editImage?.(context, { ...drawing, prompt: 'Greener', images: first?.images.slice(0, 1) ?? [] })
      assertFits(Drawn, changed, 'picture')
      for (const image of changed?.images ?? []) isPicture(image)
    },
  },
  {
    name: 'a text is turned into speech',
    skip: ({ adapter }) => !adapter.speech && 'it generates no speech',
    async run({ adapter, rig, open }) {
      const { context } = open()
      const model = requireMember(rig.models.speech, 'models.speech')
      const [voice = ''] = (await adapter.models(context)).find(({ id }) => id === model)?.voices ?? []
      const spoken = await adapter.speech?.(context, { model, text: 'Good morning', voice, format: 'mp3' })
      assertFits(Spoken, spoken, 'sound')
      check(spoken?.sound.mediaType.startsWith('audio/') && spoken.sound.data.length > 20, 'it is a sound')
    },
  },
  {
    name: 'the outcome of a generation can be looked up, and an unknown generation is null',
    skip: ({ adapter }) => !adapter.lookUp && 'it has no lookUp',
    async run({ adapter, rig, open }) {
      const desk = open()
      assertEqual(await adapter.lookUp?.(desk.context, 'gen-nobody-knows'), null, 'an unknown generation')
      const lost = await requireMember(rig.lose, 'lose')(desk)
      const found = await adapter.lookUp?.(desk.context, lost)
      assertEqual(found?.done, true, 'a generation that broke off')
      if (rig.lost) assertEqual(found?.usage, rig.lost, 'what it took')
    },
  },
  {
    name: 'the tokens of a request are estimated without generating',
    skip: ({ adapter }) => !adapter.estimate && 'it has no estimate',
    async run({ adapter, rig, open }) {
      const { context } = open()
      const count = async (text: string) =>
        (await adapter.estimate?.(context, { model: rig.models.text, messages: [userMessage(text)] }))?.inputTokens ?? 0
      check((await count('tea '.repeat(200))) > (await count('tea')), 'more words are more tokens')
    },
  },
]
