/** The most that leaves together: a script holds up everybody else. */
const most = { messages: 100, length: 64 * 1024 }

/** Messages that leave together. */
interface Parcel {
  readonly messages: string[]
  length: number
  readonly sent: Promise<void>
  settle(sending: Promise<void>): void
}

/** Sends messages in their order: those that come while others are on their way leave together. */
export class Outbox {
  readonly #send: (messages: readonly string[]) => Promise<void>
  #waiting: Parcel | undefined
  #underWay = 0

  constructor(send: (messages: readonly string[]) => Promise<void>) {
    this.#send = send
  }

  get isEmpty(): boolean {
    return this.#underWay === 0
  }

  send(message: string): Promise<void> {
    const parcel = this.#waiting ?? newParcel()
    this.#waiting = parcel
    parcel.messages.push(message)
    parcel.length += message.length
    const isFull = parcel.messages.length >= most.messages || parcel.length >= most.length
    if (isFull || this.#underWay === 0) void this.#dispatch(parcel)
    return parcel.sent
  }

  async #dispatch(parcel: Parcel): Promise<void> {
    this.#waiting = undefined
    this.#underWay++
    const sending = this.#send(parcel.messages)
    await sending.catch(() => {})
    this.#underWay--
    if (this.#underWay === 0 && this.#waiting !== undefined) void this.#dispatch(this.#waiting)
    parcel.settle(sending)
  }
}

function newParcel(): Parcel {
  let settle: Parcel['settle'] = () => {}
  const sent = new Promise<void>((resolve) => (settle = resolve))
  return { messages: [], length: 0, sent, settle }
}
