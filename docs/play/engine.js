// Asks the worker, one world at a time: a newer world replaces the waiting one, and ends a run that takes long.

const MOST_MILLISECONDS = 20_000;
const MOST_OUTDATED_MILLISECONDS = 2_000;

export class Engine {
  #worker = null;
  #isReady = false;
  #number = 0;
  #running = null; // { id, job, views, since, timer }
  #job = null; // { request, stages, show, fail }: the newest world, with the stages that are left

  /** `onState` gets "loading", "ready" or "failed", and the message of a failure. */
  constructor(onState) {
    this.onState = onState;
    this.#start();
  }

  /**
   * Ask for the views of a world, stage by stage: `show` gets each answer and returns whether to go on, `fail`
   * gets a message that ends the run, and `done` is called after the last stage.
   */
  ask(job) {
    this.#job = { ...job, stages: [...job.stages] };
    const running = this.#running;
    if (running === null) {
      this.#next();
    } else {
      // A short run may end by itself, which is faster than another start.
      const age = performance.now() - running.since;
      clearTimeout(running.timer);
      running.timer = setTimeout(() => this.#restart(), Math.max(0, MOST_OUTDATED_MILLISECONDS - age));
    }
  }

  #start() {
    this.#isReady = false;
    this.onState("loading");
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(event.message || "the worker stopped");
    };
  }

  #restart() {
    this.#worker.terminate();
    this.#running = null;
    this.#start();
  }

  #lose(message) {
    if (!this.#isReady) {
      this.#worker.terminate();
      this.onState("failed", message);
      return;
    }
    this.#end(`dractl stopped: ${message}`);
  }

  /** End the run with a message, and start again for the next one. */
  #end(message) {
    const running = this.#running;
    if (running !== null) clearTimeout(running.timer);
    if (running !== null && running.job === this.#job) {
      this.#job = null;
      running.job.fail(message);
    }
    this.#restart();
  }

  #take(data) {
    if (data.ready !== undefined) {
      if (!data.ready) {
        this.#lose(data.failure);
        return;
      }
      this.#isReady = true;
      this.onState("ready");
      this.#next();
      return;
    }
    const running = this.#running;
    if (running === null || running.id !== data.id) return;
    if (data.failure !== undefined) {
      // After a failure such as exhausted memory, nothing is certain about the interpreter.
      this.#end(`dractl stopped: ${data.failure}`);
      return;
    }
    clearTimeout(running.timer);
    this.#running = null;
    if (running.job === this.#job && !running.job.show(JSON.parse(data.answer), running.views)) this.#job = null;
    this.#next();
  }

  #next() {
    const job = this.#job;
    if (!this.#isReady || this.#running !== null || job === null) return;
    const views = job.stages.shift();
    if (views === undefined) {
      this.#job = null;
      job.done();
      return;
    }
    const id = ++this.#number;
    const seconds = MOST_MILLISECONDS / 1000;
    const timer = setTimeout(
      () => this.#end(`The run took more than ${seconds} seconds and was stopped; simplify the manifests.`),
      MOST_MILLISECONDS,
    );
    this.#running = { id, job, views, since: performance.now(), timer };
    this.#worker.postMessage({ id, request: JSON.stringify({ ...job.request, views }) });
  }
}
