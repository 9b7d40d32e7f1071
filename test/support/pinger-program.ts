/** Asks an address again and again, in a process of its own so that nothing else delays it; tells how long it waited when a line comes. */
const [url, everyMs] = [process.argv[2]!, Number(process.argv[3])]
let waits: number[] = []

async function ask() {
  const began = performance.now()
  const answer = await fetch(url).catch(() => null)
  await answer?.arrayBuffer()
  waits.push(performance.now() - began)
}

setInterval(() => void ask(), everyMs)
for await (const _ of console) {
  console.log(JSON.stringify(waits))
  waits = []
}
process.exit(0)

export {}
