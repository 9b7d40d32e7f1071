import { seconds } from './table.ts'

export interface Step {
  readonly name: string
  readonly ms: number
}

/** Prints each step and its result, and records its duration. */
export function progress() {
  const steps: Step[] = []
  return {
    steps: steps as readonly Step[],
    async step<V>(name: string, work: (say: (line: string) => void) => Promise<V>): Promise<V> {
      const began = performance.now()
      console.log(`\n${steps.length + 1}. ${name}`)
      const result = await work((line) => console.log(`   ${line}`))
      const ms = performance.now() - began
      steps.push({ name, ms })
      console.log(`   done in ${seconds(ms)}`)
      return result
    },
  }
}
