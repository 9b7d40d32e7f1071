import { feature } from '../../feature.ts'
import { generations, queue, rules } from './beside.routes.ts'
import { deleteChatOf, deleteChatOfPerson } from './chat.queries.ts'
import { conversations } from './chat.routes.ts'
import { forgetOld } from './forget.ts'
import { Generating } from './generating.ts'
import { letGoOfDead } from './generations.queries.ts'
import { type ModelSource, modelSource } from './source.ts'

declare module '../../context.ts' {
  interface Services {
    /** The answers that this process is making. */
    readonly generating: Generating
    /** Where answers come from. */
    readonly chatModels: ModelSource
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'chat.forget': Record<string, unknown>
  }
}

/** Conversations of people with an assistant that knows their store and can act in it. */
export default feature('chat', {
  routes: [conversations, generations, queue, rules],
  async open({ processes }) {
    const generating = new Generating()
    processes.whenDead(letGoOfDead)
    return { services: { generating, chatModels: { ...modelSource } } }
  },
  async begin(context) {
    context.generating.begin(context)
    return { stop: () => context.generating.stop() }
  },
  jobs: { 'chat.forget': { at: '47 3 * * *', work: (context, _, signal) => forgetOld(context, signal) } },
  follows: {
    async 'store.leaving'(tx, { store }) {
      await deleteChatOf(tx, store.id)
    },
    async 'person.leaving'(tx, { userId }) {
      await deleteChatOfPerson(tx, userId)
    },
  },
})
