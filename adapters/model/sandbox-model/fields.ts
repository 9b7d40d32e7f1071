import type { AdapterContext, Fields, Model } from 'serai/model'

export const label = 'Sandbox model'

export const credentials = {} as const satisfies Fields

export const settings = {
  pauseMs: { label: 'Pause between words', type: 'number', default: 0, help: 'Milliseconds, at most 1000: so that one sees it write.' },
} as const satisfies Fields

export type Sandbox = AdapterContext<typeof credentials, typeof settings>

const word = { inputToken: '0.000001', outputToken: '0.000002', inputImage: '0.0003' }

/** Models, one for each kind of output. */
export const models: readonly Model[] = [
  {
    id: 'writer',
    name: 'Sandbox writer',
    takes: ['text', 'image'],
    gives: ['text'],
    tools: true,
    structured: true,
    contextTokens: 32_000,
    outputTokens: 4_000,
    prices: word,
  },
  {
    id: 'painter',
    name: 'Sandbox painter',
    takes: ['text', 'image'],
    gives: ['image'],
    tools: false,
    structured: false,
    prices: { outputImage: '0.01', inputImage: '0.002' },
  },
  {
    id: 'speaker',
    name: 'Sandbox speaker',
    takes: ['text'],
    gives: ['speech'],
    tools: false,
    structured: false,
    voices: ['low', 'high'],
    prices: { character: '0.00001' },
  },
]
