#compdef dractl
# Completion of dractl for zsh, as dractl completion zsh prints it.

_dractl_words_0() {
  local -a words
  words=(1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38)
  compadd "$@" -a words
}

_dractl_words_1() {
  local -a words
  words=(CompositePodGroup=true CompositePodGroup=false DRAAdminAccess=true DRAAdminAccess=false DRAConsumableCapacity=true DRAConsumableCapacity=false DRAControlPlaneController=true DRAControlPlaneController=false DRADerivedAttributes=true DRADerivedAttributes=false DRADeviceBindingConditions=true DRADeviceBindingConditions=false DRADeviceCompatibilityGroups=true DRADeviceCompatibilityGroups=false DRADeviceTaintRules=true DRADeviceTaintRules=false DRADeviceTaints=true DRADeviceTaints=false DRAExtendedResource=true DRAExtendedResource=false DRAFractionalCapacityRange=true DRAFractionalCapacityRange=false DRAListTypeAttributes=true DRAListTypeAttributes=false DRANodeAllocatableResources=true DRANodeAllocatableResources=false DRAOptionalNodeOperations=true DRAOptionalNodeOperations=false DRAPartitionableDevices=true DRAPartitionableDevices=false DRAPartitionableDevicesType=true DRAPartitionableDevicesType=false DRAPrioritizedList=true DRAPrioritizedList=false DRAResourceClaimDeviceStatus=true DRAResourceClaimDeviceStatus=false DRAResourceClaimGranularStatusAuthorization=true DRAResourceClaimGranularStatusAuthorization=false DRAResourcePoolStatus=true DRAResourcePoolStatus=false DRASchedulerFilterTimeout=true DRASchedulerFilterTimeout=false DRAWorkloadResourceClaims=true DRAWorkloadResourceClaims=false DeclarativeValidation=true DeclarativeValidation=false DeclarativeValidationBeta=true DeclarativeValidationBeta=false DeclarativeValidationTakeover=true DeclarativeValidationTakeover=false DynamicResourceAllocation=true DynamicResourceAllocation=false GangScheduling=true GangScheduling=false GenericWorkload=true GenericWorkload=false InPlacePodLevelResourcesVerticalScaling=true InPlacePodLevelResourcesVerticalScaling=false InPlacePodVerticalScalingSchedulerPreemption=true InPlacePodVerticalScalingSchedulerPreemption=false KubeletPodResourcesDynamicResources=true KubeletPodResourcesDynamicResources=false NodeDeclaredFeatures=true NodeDeclaredFeatures=false PodGroupPreemptionPolicy=true PodGroupPreemptionPolicy=false PodLevelResources=true PodLevelResources=false ResourceHealthStatus=true ResourceHealthStatus=false ResourceHealthStatusMessage=true ResourceHealthStatusMessage=false SchedulerQueueingHints=true SchedulerQueueingHints=false TopologyAwareWorkloadScheduling=true TopologyAwareWorkloadScheduling=false WorkloadAwarePreemption=true WorkloadAwarePreemption=false WorkloadWithJob=true WorkloadWithJob=false)
  compadd "$@" -a words
}

_dractl_words_2() {
  local -a words
  words=(claim/config-size claim/constraints-size claim/controller claim/derived-total-cost claim/request-duplicate claim/requests-size claim/update-spec template/update-spec request/capacity-key request/capacity-negative request/capacity-size request/class-format request/class-required request/count-all request/count-exact request/derived-expr request/derived-expr-required request/derived-name-duplicate request/derived-name-format request/derived-name-required request/derived-size request/derived-unused request/first-available-size request/mode request/name request/selectors-size request/sub-duplicate request/sub-name request/tol-effect request/tol-key request/tol-operator request/tol-operator-required request/tol-value-equal request/tol-value-exists request/union-both request/union-none constraint/distinct constraint/match constraint/none-any constraint/none-match constraint/requests-duplicate constraint/requests-ref constraint/requests-size config/driver config/opaque-required config/params-object config/params-required config/params-size config/requests-duplicate config/requests-ref config/requests-size cel/compile cel/cost cel/length cel/output cel/required admin/namespace admin/status class/config-size class/extended-name class/selectors-size class/suitable-nodes slice/all-nodes-false slice/counter-set-duplicate slice/counter-sets-size slice/counters-total slice/device-counters-total slice/device-duplicate slice/devices-and-counters slice/devices-size slice/driver slice/driver-upper-case slice/node-name-empty slice/node-name-format slice/node-selection-many slice/node-selection-none slice/node-selector slice/node-selector-one-term slice/partition-type-gate slice/partition-type-missing slice/partition-type-not-string slice/partition-type-unused slice/per-device-false slice/pool-count slice/pool-generation slice/pool-name slice/skip-ops-duplicate slice/skip-ops-enum slice/skip-ops-prepare slice/update-driver slice/update-node-name slice/update-pool-name device/all-nodes-false device/attr-cap-total device/attr-key device/attr-list-empty device/attr-list-string device/attr-list-version device/attr-many device/attr-none device/attr-string-length device/attr-values-total device/attr-version device/attr-version-length device/basic-required device/cap-key device/cap-policy-single device/compat-groups device/consumes-counter-name device/consumes-counter-unknown device/consumes-counters-required device/consumes-counters-size device/consumes-duplicate device/consumes-set-format device/consumes-set-required device/consumes-set-unknown device/consumes-size device/consumes-total device/name device/node-empty device/node-format device/node-selection-many device/node-selection-none device/node-selection-unexpected device/node-selector device/node-selector-one-term device/taint-effect device/taint-effect-required device/taint-key device/taint-value device/taints-size counterset/counter-name counterset/counters-required counterset/counters-size counterset/name-format counterset/name-required ctr/claim-duplicate ctr/claim-name-required ctr/claim-request ctr/claim-unknown ctr/pod-level nar/cap-key-empty nar/cap-key-format nar/cap-key-required nar/cap-key-unknown nar/cap-mult-positive nar/cap-mult-required nar/dev-mult-positive nar/empty nar/key nar/mapping-cap-key-empty nar/mapping-cap-key-unknown nar/mapping-key nar/mapping-multiplier nar/overhead-empty nar/overhead-negative nar/union policy/both policy/default-max policy/default-min policy/default-required policy/max-limit policy/milli policy/min-limit policy/min-max policy/min-required policy/step-crash policy/step-default policy/step-int64 policy/step-limit policy/step-max policy/step-positive policy/values-default policy/values-duplicate policy/values-limit policy/values-size policy/values-sorted binding/duplicate binding/failure-missing binding/failure-size binding/format binding/missing binding/overlap binding/size rule/conditions rule/selector-cel rule/selector-class rule/selector-device rule/selector-driver rule/selector-empty rule/selector-pool rule/taint-effect rule/taint-key rule/taint-value rpsr/driver-format rpsr/driver-required rpsr/limit rpsr/partition-attr rpsr/pool-name rpsr/spec-immutable rpsr/status-conditions rpsr/status-immutable rpsr/status-name rpsr/status-number rpsr/status-partition-duplicate rpsr/status-required rpsr/status-size rpsr/status-validation-error pod/claim-both pod/claim-generated-name pod/claim-name-duplicate pod/claim-name-format pod/claim-name-required pod/claim-none pod/claim-ref pod/claim-template-ref pod/fractional-bytes pod/host-name pod/label-selector-null pod/mirror-node pod/node-label-deprecated pod/preferred-value pod/static pod/update-annotations pod/update-containers pod/update-qos pod/update-spec psc/claim-duplicate psc/nodes-duplicate psc/nodes-format psc/nodes-size psc/unsuitable-duplicate psc/unsuitable-format psc/unsuitable-size meta/annotation-key meta/annotation-size meta/finalizer-conflict meta/finalizer-format meta/finalizer-kube meta/generate-name meta/generation meta/label-key meta/label-value meta/name-format meta/name-required meta/ns-format meta/owner-controller meta/owner-event meta/owner-field meta/update-finalizers meta/update-immutable meta/update-rv tmeta/annotations tmeta/labels tmeta/other status/allocation-immutable status/dealloc-reserved status/dealloc-unallocated status/dealloc-withdrawn status/devices-duplicate status/reserved-deleting status/reserved-duplicate status/reserved-name status/reserved-resource status/reserved-size status/reserved-uid status/reserved-unallocated alloc/config-size alloc/config-source alloc/config-source-required alloc/consumed-key alloc/consumed-negative alloc/consumed-size alloc/controller alloc/device alloc/driver alloc/node-selector alloc/pool alloc/request alloc/results-size alloc/share-id alloc/skip-ops dstat/allocated dstat/conditions dstat/conditions-size dstat/data-object dstat/data-size dstat/device dstat/driver dstat/hw-addr dstat/if-name dstat/ips-duplicate dstat/ips-format dstat/ips-size dstat/pool dstat/share-id pstat/claim-duplicate pstat/claim-ref pstat/claim-unknown pstat/condition-type pstat/ext-claim-format pstat/ext-claim-required pstat/ext-container pstat/ext-duplicate pstat/ext-mappings-required pstat/ext-request pstat/ext-resource pstat/health pstat/health-duplicate pstat/health-ephemeral pstat/health-message pstat/health-name pstat/node-claim pstat/node-duplicate pstat/node-negative pstat/node-overhead-empty pstat/node-required pstat/node-resource oldclaim/available-nodes oldclaim/class oldclaim/handle-both oldclaim/handle-data oldclaim/handle-driver oldclaim/handle-instance oldclaim/handle-model oldclaim/handle-node oldclaim/handles-size oldclaim/mode oldclaim/reserved-shareable oldclaim/status-driver oldclaim/status-driver-required oldclass/driver oldclass/suitable-nodes oldparams/driver oldparams/driver-duplicate oldparams/model oldparams/ref-kind oldparams/ref-name oldparams/ref-namespace oldparams/requests-empty oldparams/selector oldparams/selector-required oldslice/attr-duplicate oldslice/attr-many oldslice/attr-name oldslice/attr-none oldslice/attr-version oldslice/driver oldslice/instance-duplicate oldslice/instance-name oldslice/model oldslice/node oldslice/update-driver oldslice/update-node decode/fatal decode/syntax decode/template decode/no-kind decode/type decode/unknown decode/duplicate version/unserved version/not-served-by-default version/other-group simulate/ignored simulate/skew config/schema document/unnamed document/skipped document/nothing-asked document/count-zero gate/dropped gate/unserved pod/implicit-resource gate/kept admin/unknown-namespace update/new update/unknown update/generation-back update/generation-same update/prototype update/gone update/no-status document/too-many-devices document/node-name upgrade/refused quantity/endless shape/request-flat shape/request-exactly shape/device-flat shape/device-basic shape/indentation shape/case shape/level shape/claim-or-template shape/bare-value shape/wrapped-value shape/list shape/pod-source shape/newer-field shape/former-field across/class-missing across/claim-missing across/other-namespace across/request-missing across/same-name across/claim-twice across/claim-shared across/extended-name-twice across/quota-exceeded across/pool-nodes across/pool-incomplete across/pool-count across/pool-obsolete across/device-duplicate across/slice-node-missing across/counter-missing across/counter-excess across/counter-set-twice across/attribute-twice across/constraint-nothing across/allocation-nowhere across/allocation-mode across/device-node-terms across/capacity-missing across/capacity-excess across/capacity-rounded across/config-nothing across/toleration-nothing across/extended-missing across/taint-rule-nothing across/taint-rule-everything across/claim-unused across/boolean-key selector/fails selector/attribute-unknown selector/nothing selector/driver-unknown selector/too-few selector/never-equal selector/version-text selector/constant selector/near-limit selector/not-evaluated ignore/unused ignore/no-reason ignore/invalid baseline/stale prototype/dia-1 prototype/dia-2 prototype/dia-4 prototype/dia-5 prototype/dia-6 prototype/dia-8 prototype/type prototype/unused prototype/limit prototype/config-map prototype/dp-1 prototype/dp-1-form prototype/dp-2 prototype/dp-3 prototype/dp-4 prototype/dp-5 prototype/dp-6 prototype/dp-7 prototype/dp-8 prototype/dp-9 prototype/dp-10 prototype/dp-11 prototype/dp-12 prototype/dp-13 prototype/dc-1 prototype/dc-2 prototype/dc-3 prototype/dc-4 prototype/dc-5 prototype/dc-6 prototype/dc-7 prototype/dc-8 prototype/dc-9 prototype/cl-1 prototype/cl-2 prototype/cl-2-form prototype/cl-3 prototype/cl-4 prototype/cl-4-none prototype/cl-5 prototype/cl-6 prototype/cl-7 prototype/cl-8 prototype/cl-9 prototype/cl-10 prototype/cl-11 prototype/cl-12 prototype/cl-13 prototype/cl-14 prototype/cl-15 prototype/cl-16 prototype/cl-17 prototype/cl-18 prototype/cl-19 prototype/po-1 prototype/po-2 prototype/po-3 prototype/po-4 prototype/po-5 prototype/po-7 prototype/po-8 prototype/po-9 prototype/pl-1 prototype/pl-2 prototype/pl-4 prototype/pl-5 prototype/pl-6 prototype/pp-1 prototype/pp-2 prototype/pp-3 prototype/pp-4 prototype/pp-5 prototype/pp-7 prototype/gr-2 prototype/gr-3 prototype/gr-4 prototype/gr-7 prototype/ks-1 prototype/ks-2 prototype/ks-3 prototype/ks-4 prototype/ks-4-overlap prototype/ks-6 prototype/ks-5 prototype/de-1 prototype/de-2 prototype/de-3 prototype/de-3-again prototype/de-4 prototype/de-5 prototype/de-6 prototype/de-7 prototype/de-8 prototype/de-9 prototype/de-10 prototype/de-11 prototype/de-12 prototype/de-13 prototype/de-14 prototype/de-15 prototype/de-16 prototype/de-17 prototype/de-18 prototype/de-19 prototype/de-20 prototype/de-21 prototype/de-22 prototype/de-older prototype/de-early prototype/de-30 prototype/de-amount prototype/de-never prototype/de-node prototype/de-content prototype/de-count prototype/de-value prototype/de-controller prototype/de-allocated prototype/nv-1 prototype/nv-2 prototype/nv-3 prototype/nv-4 prototype/nv-5 prototype/nv-6 prototype/nm-1 prototype/nm-2 prototype/nm-3 prototype/nm-4 prototype/nm-5 prototype/nm-6 prototype/kc-2 prototype/kc-1)
  compadd "$@" -a words
}

_dractl_words_3() {
  local -a words
  words=(status)
  compadd "$@" -a words
}

_dractl_words_4() {
  local -a words
  words=(strict warn ignore)
  compadd "$@" -a words
}

_dractl_words_5() {
  local -a words
  words=(text json sarif junit github gitlab markdown)
  compadd "$@" -a words
}

_dractl_words_6() {
  local -a words
  words=(table json yaml html)
  compadd "$@" -a words
}

_dractl_words_7() {
  local -a words
  words=(text json html)
  compadd "$@" -a words
}

_dractl_words_8() {
  local -a words
  words=(claims extended-resource)
  compadd "$@" -a words
}

_dractl_words_9() {
  local -a words
  words=(text json)
  compadd "$@" -a words
}

_dractl_words_10() {
  local -a words
  words=(text json markdown)
  compadd "$@" -a words
}

_dractl_words_11() {
  local -a words
  words=(text json prometheus html)
  compadd "$@" -a words
}

_dractl_words_12() {
  local -a words
  words=(text junit json)
  compadd "$@" -a words
}

_dractl_words_13() {
  local -a words
  words=(new stored both)
  compadd "$@" -a words
}

_dractl_words_14() {
  local -a words
  words=(celpy)
  compadd "$@" -a words
}

_dractl_words_15() {
  local -a words
  words=(v1 v1beta2 v1alpha3 v1beta1 v1alpha2)
  compadd "$@" -a words
}

_dractl_words_16() {
  local -a words
  words=(yaml json)
  compadd "$@" -a words
}

_dractl_words_17() {
  local -a words
  words=(deviceclass devicetaintrule podschedulingcontext resourceclaim resourceclaimparameters resourceclaimtemplate resourceclass resourceclassparameters resourcepoolstatusrequest resourceslice)
  compadd "$@" -a words
}

_dractl_words_18() {
  local -a words
  words=(DeviceClass DeviceTaintRule PodSchedulingContext ResourceClaim ResourceClaimParameters ResourceClaimTemplate ResourceClass ResourceClassParameters ResourcePoolStatusRequest ResourceSlice)
  compadd "$@" -a words
}

_dractl_words_19() {
  local -a words
  words=(DeviceClass DeviceTaintRule PodSchedulingContext ResourceClaim ResourceClaimParameters ResourceClaimTemplate ResourceClass ResourceClassParameters ResourcePoolStatusRequest ResourceSlice scenario test)
  compadd "$@" -a words
}

_dractl_words_20() {
  local -a words
  words=(bash zsh fish)
  compadd "$@" -a words
}

_dractl_refs() {
  local -a words
  words=(${(f)"$(git for-each-ref --format='%(refname:short)' 2> /dev/null)"})
  compadd "$@" -a words
}

_dractl() {
  local curcontext=$curcontext state line ret=1
  typeset -A opt_args
  _arguments -C '(--version)--version[Print the version.]' '(-h --help)-h[Show this message and exit.]' '(-h --help)--help[Show this message and exit.]' '1: :->command' '*:: :->arguments' && ret=0
  case $state in
    (command)
      local -a commands
      commands=(
        'validate:Validate manifests as the API server would'
        'simulate:Allocate devices to pods as the scheduler would'
        'audit:Check that the allocations in the input are legal'
        'why:Explain why a pod is Pending, or why it got its devices'
        'upgrade:Plan an upgrade of Kubernetes'
        'migrate:Migrate from device plugins and older APIs'
        'diff:Compare findings, placements and claims of two inputs'
        'advisories:List known faults of Kubernetes releases'
        'size:Count how many more copies of a pod fit'
        'test:Compare simulations with expectation files'
        'cel:Compile a device selector and list the devices it selects'
        'possible:List the sets of devices that can be in use at once'
        'convert:Convert objects to another API version of resource.k8s.io'
        'rule:Explain a rule, with a good and a bad example'
        'explain:Explain a field of the API'
        'rules:List the rules of the API server and dractl'\''s own'
        'gates:List the feature gates that affect DRA in a Kubernetes minor'
        'mcp:Serve coding agents through the Model Context Protocol'
        'lsp:Serve editors through the Language Server Protocol'
        'schema:Print the JSON Schema of a kind'
        'completion:Print the completion script of a shell'
        'snapshot:Write the DRA state of a cluster as YAML'
        'replay:Replay a recording of kubectl dra record'
        'driver:Check what a DRA driver publishes'
      )
      _describe -t commands 'dractl command' commands && ret=0
      ;;
    (arguments)
      curcontext=${curcontext%:*:*}:dractl-$line[1]:
      case $line[1] in
        (validate)
          _arguments -s \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), a patch such as 1.35.4, or a range such as 1.33..1.37.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates that dractl gates lists; 1.33\:A=true does so in one minor of a range.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--select=[Only report these rules; globs allowed (request/*).]:ID,...:_sequence _dractl_words_2' \
            '*--ignore=[Report all rules except these.]:ID,...:_sequence _dractl_words_2' \
            '*--config-schema=[Validate opaque parameters of this driver and kind with a JSON Schema, as warnings.]:DRIVER/KIND=FILE: ' \
            '*--old=[Validate each object as an update of its earlier version in this file or folder.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '--since=[Validate each object as an update of its version in this git commit.]:GIT_REF:_dractl_refs' \
            '--subresource=[Validate the status of each object as a status update; requires --old or --since.]:status:_dractl_words_3' \
            '--field-validation=[Reject unknown and duplicate fields, or drop them as the API server does for a client that asks it to warn about them or to ignore them.]:<strict|warn|ignore>:_dractl_words_4' \
            '*--per-file-ignores=[Ignore these rules in files whose path or name matches; repeatable.]:GLOB\:ID,...: ' \
            '--baseline=[Do not report the findings that this file lists; report entries that no longer occur.]:FILE:_files' \
            '(--write-baseline)--write-baseline[Write the findings to the file of --baseline.]' \
            '*--external=[These objects exist elsewhere; globs allowed (DeviceClass/*.nvidia.com); repeatable.]:KIND/[NS/]NAME: ' \
            '*--world=[Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '(--strict)--strict[Fail on warnings too.]' \
            '(--closed-world)--closed-world[With --strict also fail on references to objects that are not in the input.]' \
            '(--allow-empty)--allow-empty[Accept files without any document.]' \
            '--dialect=[For objects of a prototype API\: read them in this dialect if several fit.]:NAME: ' \
            '(--lenient)--lenient[For objects of a prototype API\: only warn about the unknown fields of its examples.]' \
            '--stdin-filename=[Report findings in standard input under this name.]:NAME: ' \
            '(--fix)--fix[Fix in the files what can only mean one thing, and report the rest.]' \
            '(--unsafe-fixes)--unsafe-fixes[With --fix or --diff also fix what may change the meaning.]' \
            '(--diff)--diff[Print what --fix would change as a patch; change nothing, even with --fix.]' \
            '--jobs=[Use so many processes; auto chooses by the size of the input and the CPUs.]:N: ' \
            '*--format=[Print text, json, sarif, junit, github, gitlab or markdown, or write it to FILE; repeatable.]:FORMAT[=FILE]:_dractl_words_5' \
            '(--share)--share[Also print a link that opens the files in the playground; it holds their text, secrets too.]' \
            '--playground=[With --share\: the address of the playground (default\: that of the documentation).]:URL: ' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (simulate)
          _arguments -s \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), a patch such as 1.35.4, or a range such as 1.33..1.37.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates that dractl gates lists; 1.33\:A=true does so in one minor of a range.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--world=[Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '--scheduler-version=[Follow the scheduler of this Kubernetes minor or patch, as in the middle of an upgrade (default\: that of --kube-version).]:VERSION:_dractl_words_0' \
            '*--scheduler-feature-gates=[Override feature gates of the scheduler, in addition to --feature-gates.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--node-order=[Prefer these nodes, in this order, if several are equally good; the others follow by name.]:NODE,...: ' \
            '*--replicas=[Override the number of pods of NAME, KIND/NAME or KIND/NAMESPACE/NAME; repeatable.]:NAME=N: ' \
            '(--allocate-unreferenced)--allocate-unreferenced[Also allocate claims that no pod refers to, after the pods; no cluster does that.]' \
            '*--scenario=[Run the steps of a scenario file and print the state after each.]:FILE:_files' \
            '*--pod=[Only report this pod (NS\: default if unset), although all are simulated; repeatable.]:NS/NAME: ' \
            '(--native)--native[Also print the scheduler'\''s own event for each Pending pod, in the words of the minor.]' \
            '*--format=[Print table, json, yaml or html, or write it to FILE; repeatable.]:FORMAT[=FILE]:_dractl_words_6' \
            '--save-state=[Also write the objects with their new status to FILE, as --format yaml does.]:FILE:_files' \
            '--dialect=[For objects of a prototype API\: read them in this dialect if several fit.]:NAME: ' \
            '(--share)--share[Also print a link that opens the files in the playground; it holds their text, secrets too.]' \
            '--playground=[With --share\: the address of the playground (default\: that of the documentation).]:URL: ' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (audit)
          _arguments -s \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates; only those that dractl gates lists are accepted.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--world=[Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '*--format=[Print text, a JSON document, or an HTML page, or write it to FILE; repeatable.]:text|json|html[=FILE]:_dractl_words_7' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (why)
          _arguments -s \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), a patch such as 1.35.4, or a range such as 1.33..1.37.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates that dractl gates lists; 1.33\:A=true does so in one minor of a range.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '--dialect=[For objects of a prototype API\: read them in this dialect if several fit.]:NAME: ' \
            '*--world=[Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '(--all)--all[Explain everything that is Pending.]' \
            '--node=[Explain why not this node.]:NODE: ' \
            '--device=[Explain why not this device\: its name, or driver/pool/name.]:DEVICE: ' \
            '--prove=[Write each way to place the pod to a new file in DIR that dractl simulate can run.]:DIR:_files -/' \
            '(--native)--native[Also print the scheduler'\''s own event for each Pending pod, in the words of the minor.]' \
            '*--format=[Print text, a JSON document, or an HTML page, or write it to FILE; repeatable.]:text|json|html[=FILE]:_dractl_words_7' \
            '(--share)--share[Also print a link that opens the files in the playground; it holds their text, secrets too.]' \
            '--playground=[With --share\: the address of the playground (default\: that of the documentation).]:URL: ' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (upgrade)
          _arguments -s \
            '--from=[Upgrade from this Kubernetes minor, or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '--to=[Upgrade to this Kubernetes minor or patch.]:VERSION:_dractl_words_0' \
            '*--from-gates=[Set the feature gates of the cluster; the target keeps those that it has.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--to-gates=[Override feature gates of the target.]:A=true,B=false:_sequence _dractl_words_1' \
            '(--write)--write[Rewrite the files with objects in API versions that the target does not serve.]' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--format=[Print text, a JSON document, or an HTML page, or write it to FILE; repeatable.]:text|json|html[=FILE]:_dractl_words_7' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (migrate)
          _arguments -s \
            '--to=[Migrate requests to claims in pods, or to extended resources of classes.]:<claims|extended-resource>:_dractl_words_8' \
            '*--class=[Serve this device plugin resource with this DeviceClass; repeatable.]:RESOURCE=DEVICECLASS: ' \
            '(--diff)--diff[Print the changes as a patch.]' \
            '(--write)--write[Rewrite the files, unless the result is rejected.]' \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates; only those that dractl gates lists are accepted.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (diff)
          _arguments -s \
            '--since=[Compare the paths with this git commit, as REF -- PATH does.]:GIT_REF:_dractl_refs' \
            '*--with=[Add these objects to both sides, except those that a side has itself; repeatable.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates; only those that dractl gates lists are accepted.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '--dialect=[For objects of a prototype API\: read them in this dialect if several fit.]:NAME: ' \
            '*--format=[Print text, a JSON document, or Markdown for a comment on a pull request, or write it to FILE; repeatable.]:text|json|markdown[=FILE]:_dractl_words_10' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: : ' && ret=0
          ;;
        (advisories)
          _arguments -s \
            '--kube-version=[Only list faults of this Kubernetes minor, or patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates; only those that dractl gates lists are accepted.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (size)
          _arguments -s \
            '*--pod=[Copy this pod, or a pod of this workload; repeatable for a mix, with N copies in a set.]:NS/NAME[=N]: ' \
            '*--like=[Count the nodes like this one that the pending pods need; repeatable.]:NODE: ' \
            '*--price=[Set the price of a node of --like, to list the cheapest first; repeatable.]:NODE=AMOUNT: ' \
            '(--from-zero)--from-zero[Use the nodes of --like as templates only\: the cluster does not have them yet.]' \
            '*--replicas=[Override the number of pods of NAME, KIND/NAME or KIND/NAMESPACE/NAME; repeatable.]:NAME=N: ' \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates; only those that dractl gates lists are accepted.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--namespace-labels=[Set the labels of a namespace, for admin access; repeatable.]:NS\:K=V,...: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--world=[Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '*--format=[Print text, json, prometheus or html, or write it to FILE; repeatable.]:FORMAT[=FILE]:_dractl_words_11' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (test)
          _arguments -s \
            '(--update)--update[Update the expectation files with the actual results.]' \
            '--kube-version=[Follow this Kubernetes minor instead of those in the files\: a minor, a patch such as 1.35.4, or a range such as 1.33..1.37.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override the feature gates of the files.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--format=[Print text, JUnit XML, or a JSON document, or write it to FILE; repeatable.]:text|junit|json[=FILE]:_dractl_words_12' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (cel)
          _arguments -s \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates; only those that dractl gates lists are accepted.]:A=true,B=false:_sequence _dractl_words_1' \
            '--dialect=[For objects of a prototype API\: read them in this dialect if several fit.]:NAME: ' \
            '--env=[Compile as the API server for new objects, as the scheduler for stored ones, or both.]:<new|stored|both>:_dractl_words_13' \
            '(--explain)--explain[Also print the cost for each device and the value of each sub-expression.]' \
            '--compare=[Also print the result of cel-python, which lacks the Kubernetes libraries; requires pip install '\''dractl\[celpy\]'\''.]:celpy:_dractl_words_14' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--world=[Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.]:PATH:_files -g "*.(yaml|yml|json)(-.)"' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '(--share)--share[Also print a link that opens the files in the playground; it holds their text, secrets too.]' \
            '--playground=[With --share\: the address of the playground (default\: that of the documentation).]:URL: ' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (possible)
          _arguments -s \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Override feature gates; only those that dractl gates lists are accepted.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '--driver=[Only pools of this driver.]:NAME: ' \
            '--pool=[Only the pool of this name.]:NAME: ' \
            '--dialect=[For objects of a prototype API\: read them in this dialect if several fit.]:NAME: ' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (convert)
          _arguments -s \
            '--to=[Convert to this API version, such as resource.k8s.io/v1 or just v1.]:VERSION:_dractl_words_15' \
            '--kube-version=[Use the fields of this Kubernetes minor (default\: the newest that has the version).]:VERSION:_dractl_words_0' \
            '(--lossy)--lossy[Drop what the target version cannot represent, with a warning for each.]' \
            '(-i --in-place)-i[Rewrite the files, unless something would be lost.]' \
            '(-i --in-place)--in-place[Rewrite the files, unless something would be lost.]' \
            '(--diff)--diff[Print the changes as a patch.]' \
            '--dialect=[For objects of a prototype API\: read them in this dialect if several fit.]:NAME: ' \
            '*--exclude=[Ignore files whose path or name matches; repeatable.]:GLOB: ' \
            '*--format=[Print the converted files, or a JSON document, or write it to FILE; repeatable.]:yaml|json[=FILE]:_dractl_words_16' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files -g "*.(yaml|yml|json)(-.)"' && ret=0
          ;;
        (rule)
          _arguments -s \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_dractl_words_2' && ret=0
          ;;
        (explain)
          _arguments -s \
            '(--recursive)--recursive[List its fields at all levels.]' \
            '--api-version=[Explain this version of the API, such as v1beta1, instead of the newest.]:VERSION:_dractl_words_15' \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_dractl_words_17' && ret=0
          ;;
        (rules)
          _arguments -s \
            '--kind=[Only list rules for this kind.]:KIND:_dractl_words_18' \
            '--kube-version=[Only list rules of this Kubernetes minor.]:VERSION:_dractl_words_0' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: : ' && ret=0
          ;;
        (gates)
          _arguments -s \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '*--feature-gates=[Also print which gates are on with these overrides.]:A=true,B=false:_sequence _dractl_words_1' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: : ' && ret=0
          ;;
        (mcp)
          _arguments -s \
            '--root=[Read files in this folder only (by default the working folder).]:DIR:_files -/' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: : ' && ret=0
          ;;
        (lsp)
          _arguments -s \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: : ' && ret=0
          ;;
        (schema)
          _arguments -s \
            '--api-version=[Print the schema of this API version, such as v1beta1 (default\: the newest).]:V:_dractl_words_15' \
            '--kube-version=[Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.]:VERSION:_dractl_words_0' \
            '--dialect=[Print the schema of this dialect of a prototype API.]:NAME: ' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_dractl_words_19' && ret=0
          ;;
        (completion)
          _arguments -s \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_dractl_words_20' && ret=0
          ;;
        (snapshot)
          _arguments -s \
            '--output=[Write to FILE, or a file for each kind into DIR, instead of to standard output (-).]:FILE|DIR: ' \
            '(--hash-names)--hash-names[Replace the names of nodes, namespaces, pods, claims, pools and devices.]' \
            '--hash-key=[With the same key a name is hashed in the same way again (default\: a random key).]:TEXT: ' \
            '-n=[Look in this namespace instead of that of the context.]:--namespace NS: ' \
            '--namespace=[Look in this namespace instead of that of the context.]:--namespace NS: ' \
            '--context=[Use this context, as kubectl does.]:NAME: ' \
            '--kubeconfig=[Use this configuration, as kubectl does.]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: : ' && ret=0
          ;;
        (replay)
          _arguments -s \
            '--at=[Print the state at TIME as YAML, as in 2026-05-01T12\:00\:00Z, or +90 for seconds.]:TIME: ' \
            '--pod=[Only report this pod (NS\: default if unset).]:NS/NAME: ' \
            '(--compare)--compare[Simulate each placement, and print the share that agrees.]' \
            '*--format=[Print text, or a JSON document, or write it to FILE; repeatable.]:text|json[=FILE]:_dractl_words_9' \
            '--output=[Write the result to FILE instead of standard output (-).]:FILE:_files' \
            '(-q --quiet)-q[Print only what causes a non-zero exit code.]' \
            '(-q --quiet)--quiet[Print only what causes a non-zero exit code.]' \
            '--config=[Read the configuration from FILE instead of searching for it.]:FILE:_files' \
            '(--isolated)--isolated[Ignore configuration files and environment variables.]' \
            '(--show-config)--show-config[Print the effective configuration, and where it is from.]' \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: :_files' && ret=0
          ;;
        (driver)
          _arguments -s \
            '(-h --help)-h[Show this message and exit.]' \
            '(-h --help)--help[Show this message and exit.]' \
            '*: : ' && ret=0
          ;;
      esac
      ;;
  esac
  return ret
}

if [[ "${funcstack[1]}" == _dractl ]]; then
  _dractl "$@"
else
  compdef _dractl dractl
fi
